import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ensurePartitions } from '../../src/platform/partitions/weekly-partitions.js';
import { lowestUuidAt } from '../../src/platform/ids/uuid-range.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { createTestDatabase } from '../support/database/database.js';
import { startTestServer } from '../support/server.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

const NOW = new Date('2026-11-21T10:00:00.000Z');

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

async function partitions(table: string): Promise<string[]> {
  const rows = await world.db.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function homeOf(uuid: string): Promise<string> {
  const [row] = await world.db.query(`SELECT tableoid::regclass::text AS name FROM runs WHERE id = $1`, [uuid]);
  return row!.name as string;
}

async function openTransaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  await client.query('BEGIN');
  return client;
}

/** Resolves when a connection to this database waits for a lock. */
async function someoneWaits(): Promise<void> {
  let waiting = 0;
  while (waiting === 0) {
    const rows = await world.db.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    waiting = rows.length;
  }
}

describe('ensurePartitions', () => {
  it('creates them once, from last week to eight weeks ahead, when several processes run it concurrently', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ensurePartitions(world.db, NOW)));
    const days = ['1109', '1116', '1123', '1130', '1207', '1214', '1221', '1228'].map((day) => `2026${day}`);
    const all = [...days, '20270104', '20270111'];
    expect(await partitions('runs')).toEqual([...all.map((day) => `runs_${day}`), 'runs_default']);
    expect(await partitions('steps')).toEqual([...all.map((day) => `steps_${day}`), 'steps_default']);
    expect(await partitions('payloads')).toEqual([...all.map((day) => `payloads_${day}`), 'payloads_default']);
  });

  it('sends one statement when nothing is missing', async () => {
    const before = world.db.statements;
    await ensurePartitions(world.db, NOW);
    expect(world.db.statements - before).toBe(1);
  });

  it('puts runs into the week of their time', async () => {
    const trigger = await world.trigger();
    for (const [time, home] of [
      ['2026-11-15T23:59:59.999Z', 'runs_20261109'],
      ['2026-11-16T00:00:00.000Z', 'runs_20261116'],
      ['2027-01-17T23:59:59.999Z', 'runs_20270111'],
      ['2027-01-18T00:00:00.000Z', 'runs_default'],
    ] as const)
      expect(await homeOf(await world.run(trigger, { at: new Date(time) }))).toBe(home);
  });

  it('moves rows that were written before their partition existed, and waits for one that is being written', async () => {
    const trigger = await world.trigger();
    const times = ['2027-02-01T00:00:00.000Z', '2027-02-03T12:00:00.000Z', '2027-02-07T23:59:59.999Z'];
    const early = await Promise.all(times.map((time) => world.run(trigger, { at: new Date(time) })));
    expect(await homeOf(early[0]!)).toBe('runs_default');
    const later = new Date(times[1]!);
    // In the first week: the partitions of later weeks would find it committed.
    const lateTime = new Date('2027-01-27T12:00:00.000Z');
    const late = newUuid(lateTime);
    const writer = await openTransaction();
    await writer.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, created_at)
       VALUES ($1, $1, $1, 'manual', 'queued', $2)`,
      [late, lateTime],
    );
    const making = ensurePartitions(world.db, later);
    await someoneWaits();
    await writer.query('COMMIT');
    await writer.end();
    await making;
    for (const uuid of early) expect(await homeOf(uuid)).toBe('runs_20270201');
    expect(await homeOf(late)).toBe('runs_20270125');
  });

  it('keeps the indexes and the primary key on each', async () => {
    const [{ count } = { count: 0 }] = await world.db.query<{ count: number }>(
      `SELECT count(*) FROM pg_indexes WHERE tablename = 'runs_20261116'`,
    );
    expect(count).toBe(9);
  });
});

describe('the first start of a service', () => {
  it('creates the partitions of ten weeks, also without the jobs of a worker', async () => {
    const database = await createTestDatabase();
    const server = await startTestServer({ database, env: { ROLES: 'api' } });
    const rows = await server.db.query(
      `SELECT inhparent::regclass::text AS name, count(*) FROM pg_inherits
       WHERE inhparent IN ('runs'::regclass, 'steps'::regclass, 'payloads'::regclass) GROUP BY 1 ORDER BY 1`,
    );
    await server.close();
    await database.drop();
    expect(rows).toEqual(['payloads', 'runs', 'steps'].map((name) => ({ name, count: 11 })));
  });
});

describe('lowestUuidAt', () => {
  it('is not above any UUIDv7 of its millisecond, and above all earlier ones', () => {
    const bound = lowestUuidAt(NOW.getTime());
    expect(newUuid(new Date(NOW.getTime() - 1)) < bound).toBe(true);
    expect(bound <= newUuid(NOW)).toBe(true);
  });
});
