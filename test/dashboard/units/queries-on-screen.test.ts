import { CombinedError, createRequest, type Exchange, makeOperation, type Operation, type OperationResult } from 'urql';
import { makeSubject, pipe, subscribe } from 'wonka';
import { queriesOnScreen } from '../../../src/dashboard/graphql/queries-on-screen.js';

const query = (text: string): Operation =>
  makeOperation('query', createRequest(text, {}), { url: '/graphql', requestPolicy: 'cache-and-network' });

const serve = () => {
  const { operations, exchange } = queriesOnScreen();
  const asked = makeSubject<Operation>();
  const results = makeSubject<OperationResult>();
  const shown: OperationResult[] = [];
  const run = exchange as (input: object) => ReturnType<Exchange>;
  const forward: ReturnType<Exchange> = (operations$) => {
    pipe(
      operations$,
      subscribe(() => undefined),
    );
    return results.source;
  };
  pipe(
    run({ forward })(asked.source),
    subscribe((result) => shown.push(result)),
  );
  return { operations, ask: asked.next, respond: results.next, shown };
};

describe('the queries on screen', () => {
  it('are those that were asked and not left yet', () => {
    const { operations, ask } = serve();
    const [first, second] = [query('{ a }'), query('{ b }')];
    ask(first);
    ask(second);
    expect(operations()).toEqual([first, second]);
    ask(makeOperation('teardown', first));
    expect(operations()).toEqual([second]);
  });

  it('say that an object is gone until the service has it again, whatever the cache has', () => {
    const { ask, respond, shown } = serve();
    const operation = query('{ a }');
    const cached = makeOperation('query', operation, { ...operation.context, meta: { cacheOutcome: 'hit' } });
    const rest = { stale: false, hasNext: false };
    const data = { a: 'old' };
    const gone = new CombinedError({ graphQLErrors: [{ message: 'None.', extensions: { code: 'NOT_FOUND' } }] });
    ask(operation);
    respond({ ...rest, operation, data });
    respond({ ...rest, operation, data: null, error: gone });
    respond({ ...rest, operation: cached, data });
    ask(operation);
    respond({ ...rest, operation: cached, data });
    respond({ ...rest, operation, data: { a: 'new' } });
    respond({ ...rest, operation: cached, data });
    expect(shown.map((result) => result.error ?? result.data)).toEqual([data, gone, gone, gone, { a: 'new' }, data]);
  });
});
