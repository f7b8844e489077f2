import { buildSchema, type ExecutionArgs, type GraphQLSchema, parse } from 'graphql';
import { Answers } from '../../../src/platform/admission/answers.js';
import { Listeners, LISTENERS_OF_ACCOUNT } from '../../../src/platform/admission/listeners.js';
import { LONG_BYTES, LongWork } from '../../../src/platform/admission/long-work.js';
import { type Caller, RequestContext } from '../../../src/platform/context.js';
import { AppError } from '../../../src/platform/errors.js';
import { finishEvent } from '../../../src/transports/graphql/errors.js';
import { EVENTS_AT_ONCE } from '../../../src/transports/graphql/subscriptions/audience.js';
import { SharedExecution } from '../../../src/transports/graphql/subscriptions/shared-execution.js';
import { IntegrationStatusChange } from '../../../src/features/integrations/changes/integration-change.entity.js';
import { EventTexts, subscribe } from '../../../src/transports/graphql/subscriptions/subscribe.js';
import { SubscriptionSpace } from '../../../src/transports/graphql/subscriptions/subscription-space.js';
import { BoundedQueue } from '../../../src/platform/notifications/bounded-queue.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
/** A source that gives what the test hands it. */
class Source implements AsyncIterableIterator<object> {
  private readonly given: object[] = [];
  private wake: () => void = () => undefined;
  private over = false;

  give(event: object): void {
    this.given.push(event);
    this.wake();
  }

  async next(): Promise<IteratorResult<object>> {
    while (this.given.length === 0 && !this.over) await new Promise<void>((resolve) => (this.wake = resolve));
    const value = this.given.shift();
    return value === undefined ? { value: undefined, done: true } : { value, done: false };
  }

  async return(): Promise<IteratorResult<object>> {
    this.over = true;
    this.wake();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Results that wait for no turn. */
const AT_ONCE = { take: () => undefined };
/** The account is alone, and the clock stands still: nothing takes long. */
const ALONE = [() => false, () => 0] as const;

const KEY: Caller = { kind: 'key', accountId: 'a', keyId: 'k', scope: 'read-write', expiresAt: null };

describe('SharedExecution', () => {
  let execution: SharedExecution;
  let resolved: number;
  let link: () => unknown;
  let logs: string[];
  const document = parse('subscription A($x: Int) { e(x: $x) { n link } } subscription B($x: Int) { e(x: $x) { n } }');
  const schema: GraphQLSchema = buildSchema(
    'type Query { q: Int } type Subscription { e(x: Int): E } type E { n: Int link: Int large: String }',
  );
  schema.getSubscriptionType()!.getFields().e!.subscribe = (_root, _args, { source }: { source: Source }) => source;
  schema.getSubscriptionType()!.getFields().e!.resolve = (event) => {
    resolved += 1;
    return event as unknown;
  };
  (schema.getType('E') as any).getFields().link.resolve = () => link();
  (schema.getType('E') as any).getFields().large.resolve = () => 'x'.repeat(LONG_BYTES);

  beforeEach(() => {
    logs = [];
    execution = new SharedExecution(
      new Answers(),
      createLogger('debug', { write: (line: string) => void logs.push(line) }),
      Object.assign(new LongWork(), { results: AT_ONCE }),
      ...ALONE,
    );
    resolved = 0;
    link = () => 0;
  });

  const listen = async (more: Partial<ExecutionArgs> = {}, caller: Caller = KEY) =>
    listenTo(new Source(), more, caller);
  const listenTo = async <S extends object>(source: S, more: Partial<ExecutionArgs> = {}, caller: Caller = KEY) => {
    const contextValue = Object.assign(new RequestContext('r', caller), { source });
    const args = { schema, document, operationName: 'A', variableValues: {}, contextValue, ...more };
    const texts = await subscribe(args, execution, new SubscriptionSpace(new Listeners()));
    if (!(texts instanceof EventTexts)) throw new Error(JSON.stringify(texts));
    return { source, texts, next: async () => JSON.parse((await texts.next()).value!) };
  };
  const written = (n: number, links = 0) => ({ data: { e: { n, link: links } } });

  it('executes an event once for all equal subscriptions, and sends them the same text', async () => {
    const listeners = await Promise.all(Array.from({ length: 100 }, () => listen()));
    const events = [{ n: 1 }, { n: 2 }];
    for (const event of events) for (const { source } of listeners) source.give(event);
    for (const event of events) {
      for (const { next } of listeners) expect(await next()).toEqual(written(event.n));
    }
    expect([execution.executions, resolved]).toEqual([2, 2]);
  });

  it.each<[string, Partial<ExecutionArgs>, Caller]>([
    ['variables', { variableValues: { x: 1 } }, KEY],
    ['operation', { operationName: 'B' }, KEY],
    ['document', { document: parse('subscription A { e { n } }') }, KEY],
    ['account', {}, { ...KEY, accountId: 'b' }],
    ['scope', {}, { ...KEY, scope: 'read-only' }],
  ])('executes separately for another %s', async (_what, more, caller) => {
    const listeners = [await listen(), await listen(more, caller)];
    const event = { n: 1 };
    for (const { source } of listeners) source.give(event);
    for (const { next } of listeners) await next();
    expect(execution.executions).toBe(2);
  });

  it('keeps no result for a single subscriber, and executes evicted events again', async () => {
    const alone = [await listen(), await listen({ variableValues: { x: 1 } })];
    const event = { n: 1 };
    for (const { source, next } of alone) {
      source.give(event);
      await next();
    }
    expect([execution.executions, execution.kept]).toEqual([2, 0]);
    const late = await listen();
    late.source.give(event);
    expect(await late.next()).toEqual(written(1));
    expect(execution.executions).toBe(3);
    expect(execution.kept).toBeGreaterThan(0);
  });

  it('executes 32 events of an account at once, those too that wait to be written', async () => {
    const turns: (() => void)[] = [];
    const turn = () => new Promise<void>((resolve) => turns.push(resolve));
    const long = { turn, results: AT_ONCE } as unknown as LongWork;
    execution = new SharedExecution(new Answers(), createLogger('silent'), long, ...ALONE);
    const large = parse('subscription A($x: Int) { e(x: $x) { large } }');
    const listeners = await Promise.all(
      Array.from({ length: 40 }, (_, x) => listen({ document: large, variableValues: { x } })),
    );
    const event = { n: 1 };
    for (const { source } of listeners) source.give(event);
    const heard = listeners.map(({ next }) => next());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([execution.executions, turns.length]).toEqual([32, 32]);
    while (turns.length > 0) {
      turns.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(heard)).toHaveLength(40);
  });

  describe('events that wait for their subscriber', () => {
    /** A link that is read like all others, with a statement for each batch. */
    const OWNER = {};
    let reads: number;
    const readLinks = () => {
      reads = 0;
      (schema.getType('E') as any).getFields().link.resolve = (
        { n }: { n: number },
        _: unknown,
        context: RequestContext,
      ) =>
        context.batch(OWNER, n, (keys: readonly number[]) => {
          reads += 1;
          return Promise.resolve(keys.map((key) => (key === 13 ? new AppError('not_found', 'no link') : -key)));
        });
    };
    const queueOf = (count: number) => {
      const queue = new BoundedQueue<object>(undefined, () => 10_000);
      for (let n = 100; n < 100 + count; n += 1) queue.push({ n });
      return queue;
    };
    beforeEach(readLinks);
    afterEach(() => ((schema.getType('E') as any).getFields().link.resolve = () => link()));

    it('share their reads, up to 50 at once, and arrive each once and in order', async () => {
      const { next } = await listenTo(queueOf(500));
      for (let n = 100; n < 600; n += 1) expect(await next()).toEqual(written(n, -n));
      // 1, 2, 4, 8, 16, 32, then 50 at a time.
      expect([execution.executions, reads]).toEqual([500, 6 + Math.ceil((500 - 63) / EVENTS_AT_ONCE)]);
    });

    it('are executed alone where the links of another cannot be read', async () => {
      const queue = new BoundedQueue<object>(undefined, () => 10_000);
      const numbers = [1, 2, 3, 4, 5, 13, 6, 7, 13, 8];
      for (const n of numbers) queue.push({ n });
      const { next } = await listenTo(queue);
      for (const n of numbers) {
        const { data, errors } = await next();
        expect([data.e, errors !== undefined]).toEqual([{ n, link: n === 13 ? null : -n }, n === 13]);
      }
    });

    it('of several subscribers are executed once for all', async () => {
      const events = Array.from({ length: 100 }, (_, index) => ({ n: 100 + index }));
      const listeners = await Promise.all(
        Array.from({ length: 20 }, () => listenTo(new BoundedQueue<object>(undefined, () => 10_000))),
      );
      for (const { source } of listeners) for (const event of events) source.push(event);
      await Promise.all(
        listeners.map(async ({ next }) => {
          for (const { n } of events) expect(await next()).toEqual(written(n, -n));
        }),
      );
      expect(execution.executions).toBe(100);
    });

    it('hold no more than 64 kB of results with the one before, which is given back', async () => {
      const large = parse('subscription A { e { n large } }');
      (schema.getType('E') as any).getFields().large.resolve = ({ n }: { n: number }) =>
        'x'.repeat(n % 10 === 0 ? 70_000 : 9_000);
      const { next, texts } = await listenTo(queueOf(200), { document: large });
      let most = 0;
      for (let n = 100; n < 250; n += 1) {
        expect((await next()).data.e.n).toBe(n);
        most = Math.max(most, execution.aheadBytes);
      }
      expect(most).toBeGreaterThan(9_000);
      expect(most).toBeLessThan(LONG_BYTES + 10_000);
      await texts.return();
      expect(execution.aheadBytes).toBe(0);
      (schema.getType('E') as any).getFields().large.resolve = () => 'x'.repeat(LONG_BYTES);
    });

    it('are executed one at a time while each takes long', async () => {
      let computed = 0;
      execution = new SharedExecution(
        new Answers(),
        createLogger('silent'),
        undefined,
        () => false,
        () => computed,
      );
      const seen: number[] = [];
      (schema.getType('E') as any).getFields().link.resolve = () => ((computed += 21), seen.push(computed), 0);
      const { next } = await listenTo(queueOf(20));
      for (let n = 100; n < 120; n += 1) {
        await next();
        // One more is executed at most, to see whether it takes long, too.
        expect(seen.length - (n - 99)).toBeLessThanOrEqual(1);
      }
    });
  });

  it('does not let a status change of an integration wait behind other events of its account', async () => {
    link = () => new Promise(() => undefined);
    const listeners = await Promise.all(Array.from({ length: 40 }, (_, x) => listen({ variableValues: { x } })));
    for (const { source, texts } of listeners) {
      source.give({ n: 1 });
      void texts.next();
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(execution.executions).toBe(32);
    const { source, next } = await listen({ operationName: 'B' });
    source.give(Object.assign(new IntegrationStatusChange(), { n: 2 }));
    expect(await next()).toEqual({ data: { e: { n: 2 } } });
  });

  it('executes two events of an account at a time while others have work, and as many as else once it is alone', async () => {
    let isInCompany = true;
    const long = { results: AT_ONCE } as unknown as LongWork;
    execution = new SharedExecution(new Answers(), createLogger('silent'), long, () => isInCompany);
    const links: (() => void)[] = [];
    link = () => new Promise<number>((resolve) => links.push(() => resolve(0)));
    const listeners = await Promise.all(Array.from({ length: 40 }, (_, x) => listen({ variableValues: { x } })));
    for (const { source, texts } of listeners) {
      source.give({ n: 1 });
      void texts.next();
    }
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
    await settled();
    expect(execution.executions).toBe(2);
    const other = await listen({ operationName: 'B' }, { ...KEY, accountId: 'b' });
    other.source.give({ n: 3 });
    expect((await other.next()).data.e.n).toBe(3);
    isInCompany = false;
    links[0]!();
    await settled();
    // Two have begun in company, and one of the other account has ended.
    expect(execution.executions).toBe(1 + 1 + 32);
  });

  it('executes once for several keys of an account and scope', async () => {
    const listeners = [await listen(), await listen({}, { ...KEY, keyId: 'l', expiresAt: new Date() })];
    const event = { n: 1 };
    for (const { source } of listeners) source.give(event);
    for (const { next } of listeners) await next();
    expect(execution.executions).toBe(1);
  });

  it('shares nothing between connect sessions', async () => {
    const session: Caller = {
      kind: 'connect_session',
      accountId: 'a',
      sessionId: 's',
      integrationId: null,
      expiresAt: new Date(),
    };
    const listeners = [await listen(), await listen({}, session), await listen({}, { ...session, sessionId: 't' })];
    const event = { n: 1 };
    for (const { source } of listeners) source.give(event);
    for (const { next } of listeners) await next();
    expect(execution.executions).toBe(3);
  });

  it('executes again for a subscriber with newer links than the result, and shares that', async () => {
    const [early, late, later] = [await listen(), await listen(), await listen()];
    const event = { n: 2 };
    early.source.give(event);
    expect(await early.next()).toEqual(written(2, 0));
    link = () => 1;
    for (const { source } of [late, later]) source.give({ n: 1 });
    expect([await late.next(), await later.next()]).toEqual([written(1, 1), written(1, 1)]);
    for (const { source } of [late, later]) source.give(event);
    expect([await late.next(), await later.next()]).toEqual([written(2, 1), written(2, 1)]);
    expect(execution.executions).toBe(4);
  });

  it('gives an error to all, masked and logged once', async () => {
    link = () => {
      throw new Error('inner matter');
    };
    const listeners = [await listen(), await listen()];
    const event = { n: 1 };
    for (const { source } of listeners) source.give(event);
    for (const { next } of listeners) {
      const { data, errors } = await next();
      expect([data, errors[0].extensions.code]).toEqual([{ e: { n: 1, link: null } }, 'INTERNAL_ERROR']);
      expect(JSON.stringify(errors)).not.toContain('inner matter');
    }
    expect(logs.filter((line) => line.includes('inner matter'))).toHaveLength(1);
  });

  it('holds an event back while its links can’t be read, once for all', async () => {
    let away = 2;
    link = () => {
      if (away-- > 0) throw new AppError('unavailable', 'away');
      return 7;
    };
    const listeners = [await listen(), await listen()];
    const event = { n: 1 };
    for (const { source } of listeners) source.give(event);
    expect(await Promise.all(listeners.map(({ next }) => next()))).toEqual([written(1, 7), written(1, 7)]);
    expect(execution.executions).toBe(3);
  });

  it('lets one go at once although its event is held back, and stops trying when all have gone', async () => {
    link = () => {
      throw new AppError('unavailable', 'away');
    };
    const listeners = [await listen(), await listen()];
    const event = { n: 1 };
    for (const { source } of listeners) source.give(event);
    const waiting = listeners.map(({ texts }) => texts.next());
    await new Promise((resolve) => setImmediate(resolve));
    await listeners[0]!.texts.return();
    expect(await waiting[0]).toEqual({ value: undefined, done: true });
    await listeners[1]!.texts.return();
    expect(await waiting[1]).toEqual({ value: undefined, done: true });
    await new Promise((resolve) => setTimeout(resolve, 600));
    const tries = execution.executions;
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(execution.executions).toBe(tries);
  });

  it('refuses a listener too many with an error of its subscription, and takes no place for one that ends or fails', async () => {
    const listeners = new Listeners();
    const ask = (source: object = new Source()) => {
      const contextValue = Object.assign(new RequestContext('r', KEY), { source });
      return subscribe(
        { schema, document, operationName: 'A', contextValue },
        execution,
        new SubscriptionSpace(listeners),
      );
    };
    const stream = (await ask()) as EventTexts;
    await ask({});
    expect(listeners.of('a')).toBe(1);
    await stream.return();
    expect(listeners.of('a')).toBe(0);

    for (let count = 0; count < LISTENERS_OF_ACCOUNT; count += 1) await listeners.take('a');
    const refused = await ask();
    expect(refused).toMatchObject({ errors: [{ originalError: { code: 'rate_limited' } }] });
    expect(listeners.of('a')).toBe(LISTENERS_OF_ACCOUNT);
  });

  it('gives what graphql-js throws as the result of that subscription alone', async () => {
    const contextValue = Object.assign(new RequestContext('r', KEY), { source: new Source() });
    // Valid to graphql-js 16, and refused by us before it comes here.
    const args = { schema, document: parse('subscription { e @skip(if: true) { n } }'), contextValue };
    const result = await subscribe(args, execution, new SubscriptionSpace(new Listeners()));
    if (result instanceof EventTexts) throw new Error('There is nothing to subscribe to.');
    const finished = JSON.stringify(finishEvent(createLogger('silent'), contextValue, result));
    expect(JSON.parse(finished)).toEqual({
      errors: [
        {
          message: 'Something went wrong on our side.',
          extensions: { code: 'INTERNAL_ERROR', requestId: expect.any(String) },
        },
      ],
    });
  });

  it('begins a new audience when the last has left', async () => {
    const [first, second] = [await listen(), await listen()];
    const { audience } = first.texts as unknown as { audience: object };
    await first.texts.return();
    await first.texts.return();
    const third = await listen();
    expect((third.texts as unknown as { audience: object }).audience).toBe(audience);
    await second.texts.return();
    await third.texts.return();
    expect(((await listen()).texts as unknown as { audience: object }).audience).not.toBe(audience);
  });
});
