import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database } from '../../src/platform/db/database.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { RunFeed } from '../../src/features/runs/feed/run-feed.js';
import { type RunChange } from '../../src/features/runs/queue/runs-changed.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../support/until.js';

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

/** A read of the account's runs in two stages: reading, then returning the rows. */
interface Look {
  read(): Promise<void>;
  answer(): void;
  fail(): void;
}

let looks: Look[];
let told: string[];
let feed: RunFeed;
let hear: (changes: RunChange[]) => void;
let resync: () => void;
let run: string;

beforeEach(async () => {
  [looks, told] = [[], []];
  // The feed compares with the time of the database.
  world.clock.time = new Date();
  const { db, clock, queue, context } = world;
  const query: Database['query'] = (text, values) => {
    if (!text.includes('WHERE r.account_id') || text.includes('UNION ALL')) return db.query(text, values);
    return new Promise((resolve, reject) => {
      let rows: never;
      looks.push({
        read: async () => void (rows = (await db.query(text, values)) as never),
        answer: () => resolve(rows),
        fail: () => reject(new Error('The database is busy.')),
      });
    });
  };
  const line = {
    on: (_: unknown, handler: never) => ((hear = handler), () => undefined),
    onResync: (handler: () => void) => void (resync = handler),
  };
  feed = new RunFeed({ query }, clock, line, queue, createLogger('silent'));
  run = await world.run(await world.trigger());
  feed.listen('account', context.accountId, {
    accountId: context.accountId,
    tell: ({ runUuid, previousStatus, status, version }) => {
      if (runUuid === run) told.push(`${version}: ${previousStatus} to ${status}`);
    },
    lose: () => undefined,
  });
});
afterEach(() => feed.stop());

const COURSE = ['1: null to queued', '2: queued to running', '3: running to succeeded'];

/** Starts a run without a notification. */
async function begin(): Promise<void> {
  const begun = `UPDATE runs SET status = 'running', started_at = $2, version = 2 WHERE id = $1`;
  await world.db.query(begun, [run, world.clock.now()]);
}

/** Ends the run without a notification. */
async function finish(): Promise<void> {
  const ended = `UPDATE runs SET status = 'succeeded', finished_at = $2, version = 3 WHERE id = $1`;
  await world.db.query(ended, [run, world.clock.now()]);
}

function end(): RunChange {
  const of = { run, account: world.context.accountId, workflow: run };
  return { ...of, from: 'running', to: 'succeeded', version: 3, at: world.clock.now().getTime() };
}

async function nextLook(): Promise<Look> {
  await until(() => looks.length > 0);
  return looks.shift()!;
}

async function look(): Promise<void> {
  const next = await nextLook();
  await next.read();
  next.answer();
}

describe('a listener during a lost connection to the database', () => {
  it('gets missed changes before new ones', async () => {
    resync();
    await look();
    await until(() => told.length === 1);
    await begin();
    resync();
    const back = await nextLook();
    hear([end()]);
    await back.read();
    back.answer();
    await until(() => told.length > 1);
    expect(told).toEqual(COURSE);
  });

  it('gets the changes between a read and the return of notifications', async () => {
    resync();
    const early = await nextLook();
    await early.read();
    await begin();
    // The connection is back before that read ends.
    resync();
    early.answer();
    await look();
    await until(() => told.length > 1);
    expect(told).toEqual(COURSE.slice(0, 2));
  });

  it('gets them even if the last read fails', async () => {
    await begin();
    resync();
    (await nextLook()).fail();
    await look();
    await until(() => told.length > 1);
    expect(told).toEqual(COURSE.slice(0, 2));
  });
});

describe('a listener whose hints', () => {
  it('arrive in another order than the commits gets each version once, in order', async () => {
    const ended = { ...end(), from: 'running' } as const;
    await begin();
    await finish();
    hear([ended]);
    hear([{ ...ended, from: 'queued', to: 'running', version: 2 }]);
    await until(() => told.length === 3);
    hear([ended]);
    await nextTurn();
    expect(told).toEqual(COURSE);
  });

  it('are lost gets the changes from the tables', async () => {
    await begin();
    await until(() => told.length === 2);
    await finish();
    await until(() => told.length === 3);
    expect(told).toEqual(COURSE);
  });

  it('of one run are lost gets the change from the tables', async () => {
    const own: number[] = [];
    const { accountId } = world.context;
    feed.listen('run', run, { accountId, tell: ({ version }) => own.push(version), lose: () => undefined });
    await begin();
    await until(() => own.includes(2));
  });
});

describe('changes for many listeners of an account', () => {
  const changed = (account: string, run: string, version: number): RunChange => ({
    ...{ run, account, workflow: run, from: 'queued', to: 'running' },
    ...{ version, at: world.clock.now().getTime() },
  });
  /** Listeners of an account that record each change with the turn of the event loop. */
  const attend = (account: string, count: number, tellings: { who: number; turn: number; run: string }[]) => {
    const lost = { count: 0 };
    for (let who = 0; who < count; who += 1) {
      const tell = ({ runUuid }: { runUuid: string }) => tellings.push({ who, turn: turns, run: runUuid });
      feed.listen('account', account, { accountId: account, tell, lose: () => (lost.count += 1) });
    }
    return lost;
  };
  let turns: number;
  let watching: boolean;
  beforeEach(() => {
    [turns, watching] = [0, true];
    const count = () => {
      turns += 1;
      if (watching) setImmediate(count);
    };
    setImmediate(count);
  });
  afterEach(() => void (watching = false));

  it('are delivered in order, 100 a turn, without delaying another account', async () => {
    const [ofMany, ofOne]: { who: number; turn: number; run: string }[][] = [[], []];
    attend('many', 1_000, ofMany!);
    attend('one', 1, ofOne!);
    hear(['a', 'b', 'c'].map((name) => changed('many', name, 1)));
    hear([changed('one', 'z', 1)]);
    expect([ofMany!.length, ofOne!.length]).toEqual([100, 1]);
    await until(() => ofMany!.length === 3_000);
    const perTurn = Map.groupBy(ofMany!, ({ turn }) => turn).values();
    expect(Math.max(...[...perTurn].map(({ length }) => length))).toBe(100);
    for (const told of Map.groupBy(ofMany!, ({ who }) => who).values()) {
      expect(told.map(({ run: name }) => name).join('')).toBe('abc');
    }
  });

  it('are at most 100 a turn, also if they arrive one by one', async () => {
    const tellings: { who: number; turn: number; run: string }[] = [];
    attend('many', 60, tellings);
    for (let number = 0; number < 50; number += 1) hear([changed('many', `${number}`, 1)]);
    expect(tellings.length).toBeLessThanOrEqual(100);
    await until(() => tellings.length === 50 * 60);
    const perTurn = [...Map.groupBy(tellings, ({ turn }) => turn).values()];
    expect(Math.max(...perTurn.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it('are not delivered to later listeners', async () => {
    const [first, late]: { who: number; turn: number; run: string }[][] = [[], []];
    attend('many', 300, first!);
    hear([changed('many', 'a', 1)]);
    attend('many', 1, late!);
    hear([changed('many', 'b', 1)]);
    await until(() => first!.length === 600);
    expect(late!.map(({ run: name }) => name)).toEqual(['b']);
  });

  it('end only its listeners when more than 10,000 wait', () => {
    const tellings: { who: number; turn: number; run: string }[] = [];
    const [lost, others] = [attend('many', 200, tellings), attend('one', 1, [])];
    for (let number = 0; number <= 10_000; number += 1) hear([changed('many', `${number}`, 1)]);
    expect(lost.count).toBe(0);
    hear([changed('many', 'last', 1)]);
    expect(lost.count).toBeGreaterThanOrEqual(200);
    expect(others.count).toBe(0);
  });
});

describe('the read of new runs', () => {
  it('is one statement for all followed workflows and accounts, and never two at once', async () => {
    const { clock, context } = world;
    let [queued, statements, running, most] = [(): void => undefined, 0, 0, 0];
    const held: (() => void)[] = [];
    const isNews = (text: string) => text.includes('r.id >= $') && !text.includes('UNION ALL');
    const query: Database['query'] = async (text, values) => {
      if (!isNews(text)) return world.db.query(text, values);
      statements += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => held.push(resolve));
      running -= 1;
      return world.db.query(text, values);
    };
    const own = new RunFeed(
      { query },
      clock,
      { on: () => () => undefined, onResync: () => undefined } as never,
      { onQueued: (handler) => ((queued = handler), () => undefined) },
      createLogger('silent'),
    );
    const made: string[] = [];
    const hearer = {
      accountId: context.accountId,
      tell: (change: { runUuid: string }) => made.push(change.runUuid),
      lose: () => undefined,
    };
    const workflow = `SELECT workflow_id AS uuid FROM runs WHERE id = $1`;
    const [{ uuid }] = (await world.db.query(workflow, [run])) as [{ uuid: string }];
    own.listen('account', context.accountId, hearer);
    own.listen('workflow', uuid, hearer);
    for (let index = 0; index < 1_000; index += 1) own.listen('workflow', randomUUID(), hearer);

    const next = await world.run(await world.trigger());
    queued();
    await until(() => statements > 0);
    for (let round = 0; round < 3; round += 1) {
      queued();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect([statements, most]).toEqual([1, 1]);
    const last = await world.run(await world.trigger());
    queued();
    held.shift()!();
    await until(() => made.includes(next));
    // What was queued during the read is read after it.
    await until(() => held.length > 0);
    held.shift()!();
    await until(() => made.includes(last));
    expect([statements, most]).toEqual([2, 1]);
    own.stop();
  });
});
