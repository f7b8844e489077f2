import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { Client } from '../../support/http/client.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { startTestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

let world: RunWorld;
let answer: (() => void) | undefined;
beforeAll(async () => {
  world = await RunWorld.open();
});
afterAll(() => world.close());
beforeEach(() => {
  world.received.length = 0;
  answer = undefined;
  world.reply = ({ url }) =>
    url === '/slow' ? new Promise((resolve) => (answer = () => resolve({ body: { done: true } }))) : {};
});

const sql = (text: string, values: unknown[] = []) => world.server.db.query(text, values);

/** A run whose first step waits for a response. */
async function slowRun(): Promise<string> {
  const { hook } = await world.workflow([world.call('slow'), world.call('after')]);
  const id = await world.fire(hook);
  await until(() => answer !== undefined);
  return id;
}

describe('a run that a worker executes', () => {
  it('stays that worker’s after a gap in its heartbeats, and is not executed twice', async () => {
    const id = await slowRun();
    const late = `UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'`;
    await sql(late);
    const retried = `SELECT 1 FROM pgboss.job WHERE state = 'active' AND retry_count = 1`;
    await until(async () => (await sql(retried)).length === 1);
    answer!();
    expect(await world.ended(id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }, { attempt: 1 }] });
    expect(world.received.map(({ url }) => url)).toEqual(['/slow', '/after']);
    expect(await sql(`SELECT 1 FROM pgboss.job WHERE name = 'runs'`)).toEqual([]);
  });

  it('continues after the step that its last worker saves while the next one claims it', async () => {
    const id = await slowRun();
    const uuid = fromPublicId('run', id);
    await sql(`UPDATE runs SET claim = gen_random_uuid() WHERE id = $1`, [uuid]);
    answer!();
    await until(async () => !(await metrics()).includes('runs_under_way 1'));
    await world.server.db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM runs WHERE id = $1 FOR NO KEY UPDATE`, [uuid]);
      await sql(`UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'`);
      const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await sql(waits)).length > 0);
      await tx.query(`UPDATE steps SET status = 'succeeded', output = '{}', finished_at = now() WHERE run_id = $1`, [
        uuid,
      ]);
    });
    expect(await world.ended(id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }, { attempt: 1 }] });
    expect(world.received.map(({ url }) => url)).toEqual(['/slow', '/after']);
  });

  it('cannot be saved by that worker once another has claimed it', async () => {
    const id = await slowRun();
    const other = '0191d4f0-0000-7000-8000-000000000000';
    await sql(`UPDATE runs SET claim = $2 WHERE id = $1`, [fromPublicId('run', id), other]);
    answer!();
    const held = `SELECT 1 FROM pgboss.job WHERE state = 'active'`;
    await until(async () => !(await metrics()).includes('runs_under_way 1'));
    expect(await world.run(id)).toMatchObject({ status: 'running', steps: [{ status: 'running', output: null }] });
    expect(await sql(`SELECT claim FROM runs WHERE id = $1`, [fromPublicId('run', id)])).toEqual([{ claim: other }]);
    expect(await sql(held)).toHaveLength(1);
    expect(world.received.map(({ url }) => url)).toEqual(['/slow']);
  });
});

describe('a run that waits for its turn in a worker', () => {
  it('is not taken from another worker that got it in between', async () => {
    const other = await RunWorld.open({ env: { ROLES: 'api' } });
    const [db, job] = [other.server.db, `FROM pgboss.job WHERE id = $1`];
    let end: (() => void) | undefined;
    other.reply = ({ url }) => (url === '/first' ? new Promise((resolve) => (end = () => resolve({}))) : {});
    const runs: string[] = [];
    for (const name of ['first', 'second']) {
      const id = await other.fire((await other.workflow([other.call(name)])).hook);
      runs.push(fromPublicId('run', id)!);
    }
    const [first, second] = runs;
    // As if two workers had died with each: such runs are executed one at a time.
    await db.query(`UPDATE runs SET workers_lost = 2`);
    const { database, clock } = other.server;
    const worker = await startTestServer({ database, clock, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    try {
      await until(() => end !== undefined);
      const claim = '0191d4f0-0000-7000-8000-000000000000';
      await db.query(
        `UPDATE runs SET status = 'running', started_at = created_at, version = 2, claim = $2 WHERE id = $1`,
        [second, claim],
      );
      await db.query(`UPDATE pgboss.job SET retry_count = 3, heartbeat_on = now() + interval '1 hour' WHERE id = $1`, [
        second,
      ]);
      // Its worker sends two heartbeats.
      for (const _ of [1, 2]) {
        const [{ beat }] = await db.query<any>(`SELECT heartbeat_on::text AS beat ${job}`, [first]);
        await until(async () => (await db.query(`SELECT 1 ${job} AND heartbeat_on <> $2`, [first, beat])).length === 1);
      }
      end!();
      await until(async () => (await metrics(worker.baseUrl)).includes('runs_under_way 0'));
      expect(other.received.map(({ url }) => url)).toEqual(['/first']);
      expect(await db.query(`SELECT claim FROM runs WHERE id = $1`, [second])).toEqual([{ claim }]);
    } finally {
      await worker.close();
      await other.close();
    }
  });
});

async function metrics(baseUrl = world.server.baseUrl): Promise<string> {
  return (await new Client(baseUrl).send<string>('GET', '/metrics')).body;
}
