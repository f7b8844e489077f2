import { createRequest, type Exchange, makeOperation, type Operation, type OperationResult } from 'urql';
import { makeSubject, pipe, subscribe } from 'wonka';
import { queriesOnScreen } from '../../../src/dashboard/graphql/queries-on-screen.js';

const query = (text: string): Operation =>
  makeOperation('query', createRequest(text, {}), { url: '/graphql', requestPolicy: 'cache-and-network' });

describe('the queries on screen', () => {
  it('are those that were asked and not left yet', () => {
    const { operations, exchange } = queriesOnScreen();
    const asked = makeSubject<Operation>();
    const { source } = makeSubject<OperationResult>();
    const run = exchange as (input: object) => ReturnType<Exchange>;
    const forward: ReturnType<Exchange> = (operations$) => {
      pipe(
        operations$,
        subscribe(() => undefined),
      );
      return source;
    };
    pipe(
      run({ forward })(asked.source),
      subscribe(() => undefined),
    );
    const [first, second] = [query('{ a }'), query('{ b }')];
    asked.next(first);
    asked.next(second);
    expect(operations()).toEqual([first, second]);
    asked.next(makeOperation('teardown', first));
    expect(operations()).toEqual([second]);
  });
});
