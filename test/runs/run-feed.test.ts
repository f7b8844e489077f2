import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database } from '../../src/db/database.js';
import { createLogger } from '../../src/logger.js';
import { RunFeed } from '../../src/runs/run-feed.js';
import { type RunChange } from '../../src/runs/run.events.js';
import { TriggerWorld } from '../support/trigger-world.js';
import { until } from '../support/until.js';

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

/** A look at the tables: what they say is read, then given to who asked. */
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
  const { db, clock, queue, context } = world;
  const query: Database['query'] = (text, values) =>
    new Promise((resolve, reject) => {
      let rows: never;
      looks.push({
        read: async () => void (rows = (await db.query(text, values)) as never),
        answer: () => resolve(rows),
        fail: () => reject(new Error('The database is busy.')),
      });
    });
  const line = {
    on: (_: unknown, handler: never) => ((hear = handler), () => undefined),
    onResync: (handler: () => void) => void (resync = handler),
  };
  feed = new RunFeed({ query }, clock, line, queue, createLogger('silent'));
  run = await world.run(await world.trigger());
  feed.listen('account', context.accountId, ({ runUuid, previousStatus, status, version }) => {
    if (runUuid === run) told.push(`${version}: ${previousStatus} to ${status}`);
  });
});
afterEach(() => feed.stop());

const COURSE = ['1: null to queued', '2: queued to running', '3: running to succeeded'];

/** Its begin, which nobody hears of. */
async function begin(): Promise<void> {
  const begun = `UPDATE runs SET status = 'running', started_at = $2, version = 2 WHERE id = $1`;
  await world.db.query(begun, [run, world.clock.now()]);
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

describe('who follows runs while the line to the database is lost', () => {
  it('is told what was missed before what is heard again', async () => {
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

  it('is told what happened between a look and the moment from which all is heard', async () => {
    resync();
    const early = await nextLook();
    await early.read();
    await begin();
    // The line is back, before that look is over.
    resync();
    early.answer();
    await look();
    await until(() => told.length > 1);
    expect(told).toEqual(COURSE.slice(0, 2));
  });

  it('is told all the same where the last look fails', async () => {
    await begin();
    resync();
    (await nextLook()).fail();
    await look();
    await until(() => told.length > 1);
    expect(told).toEqual(COURSE.slice(0, 2));
  });
});
