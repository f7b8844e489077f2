import { lockSql } from '../db/advisory-locks.js';
import { assumeAccounts } from '../db/assumed-accounts.js';
import { type Database, type Queryable, type Transaction } from '../db/database.js';
import { sqlState } from '../db/sql-state.js';
import { lowestUuidAt } from '../ids/uuid-range.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS_AHEAD = 8;
/** 1970-01-01 was a Thursday: weeks begin on Mondays, 00:00 UTC. */
const FIRST_MONDAY = 4 * DAY_MS;

/** The lock timeout for dropping a partition: every user of the table queues behind it, and gives up after 250 ms. */
const DROP_LOCK_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The partitioned tables, the UUIDv7 column that each is partitioned by, and its fill factor in per cent. Runs and
 * steps leave room on the page for the update that follows soon; the rows of the others never change.
 */
const TABLES = {
  runs: { id: 'id', fill: 70 },
  steps: { id: 'run_id', fill: 70 },
  payloads: { id: 'id', fill: 100 },
  events: { id: 'id', fill: 100 },
  audit_log: { id: 'id', fill: 100 },
} as const;

/** A table with weekly partitions. */
export type PartitionedTable = keyof typeof TABLES;

/** SQL: the list of the partitioned tables, as `regclass` values. */
const PARTITIONED = Object.keys(TABLES)
  .map((table) => `'${table}'::regclass`)
  .join(', ');

/** A week of one table. */
export interface Week {
  table: PartitionedTable;
  /** Its first day without hyphens. */
  day: string;
}

interface Partition {
  /** `runs_20261116`: its first day, as ISO 8601 writes it without hyphens. */
  name: string;
  table: PartitionedTable;
  from: string;
  to: string;
}

/**
 * Creates the missing weekly partitions of all partitioned tables, from last week to eight weeks ahead. Rows of those
 * weeks that are in the default partition move into them. Processes may run it concurrently.
 */
export async function ensurePartitions(db: Database, now: Date): Promise<void> {
  const present = await presentOf(db);
  for (const { name, hasOption } of present) if (!hasOption) await db.query(assumeAccounts(name));
  const wanted = partitionsAround(now);
  if (missingIn(present, wanted).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.query(`SELECT ${lockSql('partitions')}`);
    // Checked again: another process may have created them during the wait for the lock.
    for (const partition of missingIn(await presentOf(tx), wanted)) await makePartition(tx, partition);
  });
}

/** The end of the last weekly partition of each table, in milliseconds since 1970; 0 for a table without one. */
export async function partitionsEnd(db: Database): Promise<number[]> {
  const tables = Object.keys(TABLES) as PartitionedTable[];
  const last = new Map((await listWeeks(db, tables)).map((week) => [week.table, endOf(week)]));
  return tables.map((table) => last.get(table) ?? 0);
}

function partitionsAround(now: Date): Partition[] {
  const thisWeek = now.getTime() - ((now.getTime() - FIRST_MONDAY) % WEEK_MS);
  const weeks = Array.from({ length: WEEKS_AHEAD + 2 }, (_, index) => thisWeek + (index - 1) * WEEK_MS);
  return weeks.flatMap((start) => {
    const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
    const range = { from: lowestUuidAt(start), to: lowestUuidAt(start + WEEK_MS) };
    return (Object.keys(TABLES) as PartitionedTable[]).map((table) => ({ name: `${table}_${day}`, table, ...range }));
  });
}

/** The partitions of all tables; without `hasOption` that of `assumeAccounts`, which earlier versions do not set. */
async function presentOf(on: Queryable): Promise<{ name: string; hasOption: boolean }[]> {
  return on.query<{ name: string; hasOption: boolean }>(
    `SELECT c.relname::text AS name, a.attoptions IS NOT NULL AS "hasOption"
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
     WHERE i.inhparent IN (${PARTITIONED})`,
  );
}

function missingIn(present: readonly { name: string }[], wanted: readonly Partition[]): Partition[] {
  const names = new Set(present.map(({ name }) => name));
  return wanted.filter(({ name }) => !names.has(name));
}

/** Creates the table first and attaches it then, which does not block reads and writes of the other partitions. */
async function makePartition({ manager }: Transaction, { name, table, from, to }: Partition): Promise<void> {
  const { id, fill } = TABLES[table];
  await manager.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) WITH (fillfactor = ${fill})`);
  await manager.query(assumeAccounts(name));
  // No row may enter the default partition between the move and the attach. Attaching takes this lock anyway; upgrading
  // from a weaker one could deadlock with a transaction that reads and then writes.
  await manager.query(`LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE`);
  await manager.query(
    `WITH moved AS (DELETE FROM ${table}_default WHERE ${id} >= '${from}' AND ${id} < '${to}' RETURNING *)
     INSERT INTO ${name} SELECT * FROM moved`,
  );
  await manager.query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}

/** The weekly partitions of some tables, in the order of the tables and then of the weeks. */
export async function listWeeks(db: Database, tables: readonly PartitionedTable[]): Promise<Week[]> {
  const rows = await db.query<{ table: PartitionedTable; day: string }>(
    `SELECT p.relname::text AS table, right(c.relname, 8) AS day
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE i.inhparent IN (${PARTITIONED}) AND p.relname = ANY ($1) AND c.relname ~ '_[0-9]{8}$'
     ORDER BY array_position($1, p.relname::text), day`,
    [tables],
  );
  return rows;
}

/** The start of a week, in milliseconds since 1970. */
function startOf({ day }: Week): number {
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
}

/** The end of a week, in milliseconds since 1970. */
export function endOf(week: Week): number {
  return startOf(week) + WEEK_MS;
}

/** The ids of a week: from the first one, below the second one. */
export function idsOf(week: Week): [string, string] {
  return [lowestUuidAt(startOf(week)), lowestUuidAt(endOf(week))];
}

/** Drops a partition with its rows. @returns false when the table is locked; the next run of the job tries again. */
export async function dropWeek(db: Database, { table, day }: Week): Promise<boolean> {
  try {
    await db.transaction(async ({ manager }) => {
      await manager.query(`SET LOCAL lock_timeout = ${DROP_LOCK_MS}`);
      await manager.query(`DROP TABLE IF EXISTS ${table}_${day}`);
    });
    return true;
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

/**
 * Drops the weeks of a table that end before a time, in milliseconds since 1970. Rows of the default partition go with them:
 * they are of a time when no service created partitions. Processes may run it concurrently.
 */
export async function dropWeeksBefore(db: Database, table: PartitionedTable, until: number): Promise<void> {
  for (const week of await listWeeks(db, [table])) if (endOf(week) <= until) await dropWeek(db, week);
  await db.query(`DELETE FROM ${table}_default WHERE ${TABLES[table].id} < $1`, [lowestUuidAt(until)]);
}
