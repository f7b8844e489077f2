import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { aFewAtATime } from '../support/a-few-at-a-time.js';
import { type RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { appRequest, awaitConnection, connectKey, keyOf, openConnectionWorld } from './connection-world.js';
import { waiting } from './wait-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await openConnectionWorld({ env: { DATABASE_POOL: '10' }, patience: 120_000 });
});
afterAll(() => world.close());

const shop = { type: 'shop', reference: '{{ trigger.body.user }}' };

/** Opens a session of its own in the database, and a way to end it. */
async function holding(sql: string, values: unknown[]): Promise<{ release: () => Promise<void> }> {
  const runner = world.server.db.source.createQueryRunner();
  await runner.startTransaction();
  await runner.query(sql, values);
  return {
    release: async () => {
      await runner.commitTransaction();
      await runner.release();
    },
  };
}
const LOCK = `SELECT pg_advisory_xact_lock(hashtext($1), hashtext('connection shop ' || $2))`;
const accountOf = async () => (await world.server.db.query<{ id: string }>('SELECT id FROM accounts'))[0]!.id;
/** How many sessions wait for the lock of a connection. */
const queued = async () =>
  (await world.server.db.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length;

describe('a wait and its connection that are committed at the same moment', () => {
  it.each(['wait', 'connection'])('find each other where the %s comes first', async (first) => {
    const user = `first ${first}`;
    const { hook } = await world.workflow([awaitConnection(shop)]);
    const { release } = await holding(LOCK, [await accountOf(), user]);
    let run: Promise<string>;
    let connected: Promise<string>;
    const fire = () => (run = world.fire(hook, { user }));
    const connect = () =>
      (connected = connectKey(world.client, { type: 'shop', key: 'key_of_a_racer', reference: user }));
    const steps = first === 'wait' ? [fire, connect] : [connect, fire];
    for (const [place, step] of steps.entries()) {
      void step();
      await until(async () => (await queued()) === place + 1);
    }
    await release();
    const ended = await world.ended(await run!);
    expect([ended.status, ended.steps[0].output]).toEqual(['succeeded', { integration_id: await connected! }]);
  });

  it('leave no run behind, however they fall', async () => {
    const { hook } = await world.workflow([
      awaitConnection(shop),
      appRequest({ connection: shop, if_missing: 'wait' }),
    ]);
    const users = Array.from({ length: 60 }, (_, number) => `racer_${number}`);
    const runs = await aFewAtATime(users, async (user) => {
      const key = `key_of_${user}_in_the_race`;
      const fired = world.fire(hook, { user });
      await sleep(Math.random() * 60);
      await connectKey(world.client, { type: 'shop', key, reference: user });
      return { run: await fired, key };
    });
    for (const { run, key } of runs) {
      expect(await world.ended(run)).toMatchObject({ status: 'succeeded' });
      const calls = world.received.filter(({ headers }) => headers['idempotency-key'] === `${run}-1`);
      expect(calls.map(keyOf)).toEqual([key]);
    }
  });

  it('end each run once, where the connection and a cancelation meet', async () => {
    const { hook } = await world.workflow([awaitConnection(shop)]);
    const runs = await Promise.all(Array.from({ length: 20 }, () => world.fire(hook, { user: 'both' })));
    for (const run of runs) await waiting(world, run);
    const cancel = (run: string) => world.client.rest('POST', `/runs/${run}/cancel`);
    // One run is canceled before the race, and one is left to the connection.
    const [early, spared, ...racing] = runs;
    await cancel(early!);
    await Promise.all([
      connectKey(world.client, { type: 'shop', key: 'key_of_both_ends', reference: 'both' }),
      ...racing.map(async (run) => {
        await sleep(Math.random() * 60);
        await cancel(run);
      }),
    ]);
    const endOf = async (run: string) => {
      const { status } = await world.ended(run);
      const waits = (await world.client.rest('GET', `/waits?run_id=${run}`)).body.data;
      return [status, ...waits.map((wait: { status: string }) => wait.status)].join(' ');
    };
    expect([await endOf(early!), await endOf(spared!)]).toEqual(['canceled canceled', 'succeeded answered']);
    for (const run of racing)
      expect(['canceled canceled', 'canceled answered', 'succeeded answered']).toContain(await endOf(run));
  });
});
