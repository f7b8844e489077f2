import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { setImmediate as turn } from 'node:timers/promises';
import { Answers } from '../../../src/platform/admission/answers.js';
import { Listeners } from '../../../src/platform/admission/listeners.js';
import { type Caller, RequestContext } from '../../../src/platform/context.js';
import { JsonText } from '../../../src/platform/json/json-text.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { BoundedQueue } from '../../../src/platform/notifications/bounded-queue.js';
import { IntegrationStatusChange } from '../../../src/features/integrations/changes/integration-change.entity.js';
import { type SubscriptionArgs, VALUES_AT_ONCE } from '../../../src/transports/graphql/subscriptions/audience.js';
import {
  CHEAP_VALUES,
  CostlyEvents,
  type EventCost,
  VALUES_PER_SECOND,
} from '../../../src/transports/graphql/subscriptions/costly-events.js';
import { SharedExecution, VALUE_BYTES } from '../../../src/transports/graphql/subscriptions/shared-execution.js';
import { type EventTexts, subscribe } from '../../../src/transports/graphql/subscriptions/subscribe.js';
import { SubscriptionSpace } from '../../../src/transports/graphql/subscriptions/subscription-space.js';

const KEY: Caller = { kind: 'key', accountId: 'a', keyId: 'k', scope: 'read-write', expiresAt: null };
const COSTLY: EventCost = { values: CHEAP_VALUES + 1, weight: 1 };
const CHEAP: EventCost = { values: CHEAP_VALUES, weight: 1 };

/** Lets everything continue that waits for no timer. */
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns += 1) await turn();
};

describe('an event', () => {
  const schema = buildSchema(
    'scalar Any type Query { q: Int } type Subscription { e(x: Int): E } type E { n: Int link: Int items: [Int] any: Any }',
  );
  const document = parse('subscription ($x: Int) { e(x: $x) { n link items any } }');
  let answers: Answers;
  let execution: SharedExecution;
  let isInCompany: boolean;
  /** Ends the link of an execution that is under way. */
  let links: (() => void)[];
  /** Ends a rest. */
  let rests: (() => void)[];
  /** How long each rest is to be, in milliseconds. */
  let lengths: number[];
  let now: number;
  let costly: CostlyEvents;

  beforeEach(() => {
    [answers, isInCompany, links, rests, now] = [new Answers(), true, [], [], 0];
    lengths = [];
    const rest = (milliseconds: number) =>
      new Promise<void>((resolve) => void (lengths.push(milliseconds), rests.push(resolve)));
    costly = new CostlyEvents(
      () => isInCompany,
      () => now,
      rest,
    );
    execution = new SharedExecution(answers, createLogger('silent'), undefined, () => isInCompany, undefined, costly);
    const root = schema.getSubscriptionType()!.getFields().e!;
    root.subscribe = (_root, _args, { source }: { source: object }) => source;
    root.resolve = (event) => event as unknown;
    const fields = (schema.getType('E') as any).getFields();
    fields.link.resolve = () => new Promise<number>((resolve) => links.push(() => resolve(0)));
    fields.items.resolve = fields.any.resolve = undefined;
  });
  const opened: EventTexts[] = [];
  afterEach(async () => {
    for (const texts of opened.splice(0)) await texts.return();
  });

  let others = 0;
  /** A subscriber that shares no result, with these events in its queue. */
  const listen = async (cost: EventCost, events: readonly object[], caller = KEY): Promise<EventTexts> => {
    const source = new BoundedQueue<object>(undefined, () => 10_000);
    for (const event of events) source.push(event);
    const contextValue = Object.assign(new RequestContext('r', caller), { source });
    const args: SubscriptionArgs = { schema, document, variableValues: { x: (others += 1) }, contextValue, cost };
    const texts = (await subscribe(args, execution, new SubscriptionSpace(new Listeners()))) as EventTexts;
    opened.push(texts);
    return texts;
  };
  const next = async (texts: EventTexts): Promise<any> => JSON.parse((await texts.next()).value!);

  it('of a costly document is executed one at a time in company, and the next one after a rest', async () => {
    const listeners = await Promise.all([1, 2, 3].map((n) => listen(COSTLY, [{ n }])));
    const heard = listeners.map((texts) => texts.next());
    await settled();
    expect(execution.executions).toBe(1);
    links.shift()!();
    await settled();
    expect([execution.executions, rests.length]).toEqual([1, 1]);
    rests.shift()!();
    await settled();
    expect(execution.executions).toBe(2);
    isInCompany = false;
    links.shift()!();
    await settled();
    expect([execution.executions, rests.length]).toEqual([3, 0]);
    links.shift()!();
    expect(await Promise.all(heard)).toHaveLength(3);
  });

  it('is followed by a rest as long as it computed, however long it waited for data', async () => {
    (schema.getType('E') as any).getFields().items.resolve = () => void (now += 7);
    (schema.getType('E') as any).getFields().any.resolve = () => ({ toJSON: () => (now += 2) });
    const texts = await listen(COSTLY, [{ n: 1 }]);
    const heard = texts.next();
    await settled();
    now += 60_000;
    links.shift()!();
    await heard;
    await settled();
    expect(lengths).toEqual([7 + 2]);
    rests.shift()!();
  });

  it('costs nothing if its subscription has ended while it waited for its turn or its memory', async () => {
    const left: number[] = [];
    Object.assign((costly as any).rates, { spend: (_account: string, values: number) => left.push(values) });
    const all = await Promise.all([1, 5].map((weight) => listen({ ...COSTLY, weight }, [{ n: weight }])));
    const memory = answers.begin('a');
    await memory.reserve(2 ** 28);
    const heard = all.map((texts) => texts.next());
    await settled();
    expect(left).toEqual([COSTLY.values]);
    await Promise.all(all.map((texts) => texts.return()));
    memory.end();
    await Promise.all(heard);
    await settled();
    rests.shift()!();
    await settled();
    expect([execution.executions, left.reduce((sum, each) => sum + each, 0), left.length]).toEqual([0, 0, 4]);
    rests.shift()!();
  });

  it('of a cheap document does not wait for those of costly ones, nor does one of another account', async () => {
    const waiting = await Promise.all([1, 2, 3].map((n) => listen(COSTLY, [{ n }])));
    for (const texts of waiting) void texts.next();
    await settled();
    const others = [
      await listen(CHEAP, [{ n: 4 }]),
      await listen(CHEAP, [Object.assign(new IntegrationStatusChange(), { n: 5 })]),
      await listen(COSTLY, [{ n: 6 }], { ...KEY, accountId: 'b' }),
    ];
    for (const texts of others) void texts.next();
    await settled();
    expect(execution.executions).toBe(1 + 3);
  });

  it('of a costly document waits when its account has spent four seconds of values, and is never refused', async () => {
    isInCompany = false;
    const cost = { values: 100_000, weight: 2 };
    const burst = (4 * VALUES_PER_SECOND) / cost.values;
    for (let spent = 0; spent <= burst; spent += 1) await costly.run('a', cost, 1, () => Promise.resolve());
    let hasBegun = false;
    const work = costly.run('a', { ...COSTLY }, 1, async () => void (hasBegun = true));
    await settled();
    expect(hasBegun).toBe(false);
    await costly.run('b', cost, 1, () => Promise.resolve());
    now += (1_000 * cost.values) / VALUES_PER_SECOND;
    await work;
    expect(hasBegun).toBe(true);
  });

  it('pays for the values that it has, unless its document has expensive parts or it has errors', async () => {
    isInCompany = false;
    const spent: number[] = [];
    Object.assign((costly as any).rates, { spend: (_account: string, values: number) => spent.push(values) });
    const result = { data: { e: { items: Array.from({ length: 99 }, (_, n) => n) } } };
    for (const [cost, results] of [
      [{ values: 1_000, weight: 1 }, [result, result]],
      [{ values: 1_000, weight: 1 }, [{ ...result, errors: [] }, result]],
      [{ values: 1_000, weight: 5 }, [result]],
    ] as const) {
      await costly.run('a', cost, results.length, () => Promise.resolve());
      costly.giveBack('a', cost, results);
    }
    const [each, has] = [1_000, 99 + 2];
    expect(spent).toEqual([2 * each, -2 * (each - has), 2 * each, -(each - has), 5_000]);
  });

  it('of a costly document has its memory before it is executed, until it is written', async () => {
    const cost = { values: 100_000, weight: 99 };
    const texts = await listen(cost, [{ n: 1 }]);
    isInCompany = false;
    const heard = texts.next();
    await settled();
    expect([execution.executions, answers.inUse]).toEqual([1, cost.values * VALUE_BYTES]);
    links.shift()!();
    await heard;
    await settled();
    expect(answers.inUse).toBe(0);
  });

  it('shares a pass with others only up to 12,500 values', async () => {
    isInCompany = false;
    (schema.getType('E') as any).getFields().link.resolve = () => 0;
    const values = 1_000;
    const texts = await listen(
      { values, weight: 1 },
      Array.from({ length: 100 }, (_, n) => ({ n })),
    );
    const passes: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      const before = execution.executions;
      await texts.next();
      if (execution.executions > before) passes.push(execution.executions - before);
    }
    expect(passes.slice(0, 5)).toEqual([1, 2, 4, 8, Math.floor(VALUES_AT_ONCE / values)]);
  });

  it('that cannot be written comes as an error, and those behind it as they are', async () => {
    (schema.getType('E') as any).getFields().link.resolve = () => 0;
    const broken = { n: 1, any: new JsonText('not JSON') };
    const texts = await listen(CHEAP, [broken, { n: 2 }, { n: 3 }, broken, { n: 4 }]);
    const heard = [];
    for (let count = 0; count < 5; count += 1) heard.push(await next(texts));
    expect(heard.map(({ data, errors }) => data?.e.n ?? errors[0].extensions.code)).toEqual([
      'INTERNAL_ERROR',
      2,
      3,
      'INTERNAL_ERROR',
      4,
    ]);
  });

  it('whose execution fails is executed again for the next member', async () => {
    (schema.getType('E') as any).getFields().link.resolve = () => 0;
    const contextOf = (source: object) => Object.assign(new RequestContext('r', KEY), { source });
    const [event, texts] = [{ n: 1 }, [] as EventTexts[]];
    for (let member = 0; member < 2; member += 1) {
      const source = new BoundedQueue<object>(undefined, () => 10);
      source.push(event);
      const args = { schema, document, variableValues: {}, contextValue: contextOf(source), cost: COSTLY };
      texts.push((await subscribe(args, execution, new SubscriptionSpace(new Listeners()))) as EventTexts);
    }
    isInCompany = false;
    const { run } = costly;
    costly.run = () => Promise.reject(new Error('failed'));
    await expect(texts[0]!.next()).rejects.toThrow('failed');
    costly.run = run;
    expect((await next(texts[1]!)).data.e.n).toBe(1);
  });
});
