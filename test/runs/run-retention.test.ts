import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newUuid } from '../../src/platform/ids/ids.js';
import { ensurePartitions } from '../../src/platform/partitions/weekly-partitions.js';
import { dropOldRunsJob } from '../../src/features/runs/retention/run-retention.job.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

const NOW = new Date('2026-11-21T10:00:00.000Z');
const DAYS = 90;

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());
beforeEach(async () => {
  // Weeks of August too: 17 August ended more than 90 days ago, 24 August did not.
  await ensurePartitions(world.db, new Date('2026-08-18T00:00:00.000Z'));
  await ensurePartitions(world.db, NOW);
});

const dropOld = () => dropOldRunsJob(world.db, { now: () => NOW }, DAYS).run();

async function partitions(table: 'runs' | 'steps' | 'payloads'): Promise<string[]> {
  const rows = await world.db.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function runAt(time: string, finished: boolean): Promise<string> {
  const uuid = await world.run(await world.trigger(), { at: new Date(time) });
  await world.db.query(`UPDATE runs SET status = $2, finished_at = $3 WHERE id = $1`, [
    uuid,
    finished ? 'succeeded' : 'running',
    finished ? new Date(time) : null,
  ]);
  await world.db.query(
    `INSERT INTO steps (run_id, index, account_id, name, kind, status, attempt)
     SELECT id, 0, account_id, 'x', 'delay', 'running', 1 FROM runs WHERE id = $1`,
    [uuid],
  );
  return uuid;
}

/** Creates a payload at a time, with runs that refer to it. */
async function payloadAt(time: string, runs: readonly string[]): Promise<string> {
  const uuid = newUuid(new Date(time));
  await world.db.query(
    `WITH made AS (INSERT INTO payloads (id, account_id, body) SELECT $1, account_id, '"large"' FROM runs WHERE id = $3)
     UPDATE runs SET payload_id = $1, input = NULL WHERE id = ANY($2)`,
    [uuid, runs, runs[0]],
  );
  return uuid;
}

const payloadIsThere = async (uuid: string) =>
  (await world.db.query(`SELECT 1 FROM payloads WHERE id = $1`, [uuid])).length === 1;

async function isThere(uuid: string): Promise<[boolean, boolean]> {
  const runs = await world.db.query(`SELECT 1 FROM runs WHERE id = $1`, [uuid]);
  const steps = await world.db.query(`SELECT 1 FROM steps WHERE run_id = $1`, [uuid]);
  return [runs.length === 1, steps.length === 1];
}

describe('old runs', () => {
  it('are dropped with their steps, week by week, 90 days after the end of the week', async () => {
    const old = await runAt('2026-08-16T12:00:00.000Z', true);
    const young = await runAt('2026-08-24T00:00:00.000Z', true);
    await dropOld();
    expect(await isThere(old)).toEqual([false, false]);
    expect(await isThere(young)).toEqual([true, true]);
    for (const table of ['runs', 'steps'] as const) {
      const names = await partitions(table);
      expect(names).not.toContain(`${table}_20260810`);
      expect(names).toContain(`${table}_20260824`);
      expect(names).toContain(`${table}_20261116`);
      expect(names).toContain(`${table}_default`);
    }
  });

  it('stay while one of their week has not ended', async () => {
    const old = await runAt('2026-08-16T12:00:00.000Z', true);
    const open = await runAt('2026-08-16T13:00:00.000Z', false);
    await dropOld();
    expect(await isThere(old)).toEqual([true, true]);
    await world.db.query(`UPDATE runs SET status = 'canceled', finished_at = $2 WHERE id = $1`, [open, NOW]);
    await dropOld();
    expect(await isThere(old)).toEqual([false, false]);
  });

  it('stay until the next run of the job while a long query reads them', async () => {
    const old = await runAt('2026-08-16T12:00:00.000Z', true);
    const reader = new pg.Client({ connectionString: world.url });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM runs');
    await dropOld();
    expect(await isThere(old)).toEqual([true, true]);
    await reader.query('COMMIT');
    await reader.end();
    await Promise.all([dropOld(), dropOld()]);
    expect(await isThere(old)).toEqual([false, false]);
  });
});

describe('payloads', () => {
  it('are dropped with the runs of their week', async () => {
    const payload = await payloadAt('2026-08-16T12:00:00.000Z', [await runAt('2026-08-16T12:00:00.000Z', true)]);
    const kept = await payloadAt('2026-08-25T12:00:00.000Z', [await runAt('2026-08-25T12:00:00.000Z', true)]);
    await dropOld();
    expect(await payloadIsThere(payload)).toBe(false);
    expect(await payloadIsThere(kept)).toBe(true);
    expect(await partitions('payloads')).not.toContain('payloads_20260810');
  });

  it('stay while a run of a later week refers to one of them, and are dropped with it', async () => {
    const first = await runAt('2026-08-16T12:00:00.000Z', true);
    const retried = await runAt('2026-08-18T12:00:00.000Z', true);
    const payload = await payloadAt('2026-08-16T12:00:00.000Z', [first, retried]);
    await dropOldRunsJob(world.db, { now: () => new Date('2026-11-17T00:00:00.000Z') }, DAYS).run();
    expect(await isThere(first)).toEqual([false, false]);
    expect(await isThere(retried)).toEqual([true, true]);
    expect(await payloadIsThere(payload)).toBe(true);
    await dropOldRunsJob(world.db, { now: () => new Date('2026-11-22T00:00:00.000Z') }, DAYS).run();
    expect(await isThere(retried)).toEqual([false, false]);
    expect(await payloadIsThere(payload)).toBe(false);
  });

  it('stay while a step of a later week refers to one of them', async () => {
    const first = await runAt('2026-08-16T12:00:00.000Z', true);
    const retried = await runAt('2026-08-18T12:00:00.000Z', true);
    const payload = await payloadAt('2026-08-16T12:00:00.000Z', [first]);
    await world.db.query(`UPDATE steps SET payload_id = $2 WHERE run_id = $1`, [retried, payload]);
    await dropOldRunsJob(world.db, { now: () => new Date('2026-11-17T00:00:00.000Z') }, DAYS).run();
    expect([await isThere(first), await payloadIsThere(payload)]).toEqual([[false, false], true]);
    const later = dropOldRunsJob(world.db, { now: () => new Date('2026-11-22T00:00:00.000Z') }, DAYS);
    // One turn drops the steps that refer, and the next one what they referred to.
    await later.run();
    await later.run();
    expect([await isThere(retried), await payloadIsThere(payload)]).toEqual([[false, false], false]);
  });

  it('stay while the event of a webhook has to send one of them, and are dropped after it', async () => {
    const long = await runAt('2026-08-16T12:00:00.000Z', true);
    const payload = await payloadAt('2026-08-16T12:00:00.000Z', [long]);
    const event = newUuid(NOW);
    await world.db.query(
      `INSERT INTO webhook_events (id, account_id, hops, body, payload_id, tail, keep_until)
       SELECT $1, account_id, 0, '{"input":', $2, '}', $3 FROM payloads WHERE id = $2`,
      [event, payload, new Date(NOW.getTime() + 30 * 86_400_000)],
    );
    await dropOld();
    expect([await isThere(long), await payloadIsThere(payload)]).toEqual([[false, false], true]);
    await world.db.query(`DELETE FROM webhook_events WHERE id = $1`, [event]);
    await dropOld();
    expect(await payloadIsThere(payload)).toBe(false);
  });
});
