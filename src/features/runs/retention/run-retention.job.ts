import { type Clock } from '../../../platform/clock.js';
import { type Database, sqlState } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { type PartitionedTable, PARTITIONED } from './run-partitions.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The lock timeout for dropping a partition: every reader of runs queues behind it. */
const LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

interface Partition {
  table: PartitionedTable;
  /** Its first day without hyphens. */
  day: string;
}

/**
 * Drops the weekly partitions of runs and steps that ended more than `days` days ago. A partition with an open run
 * stays until that run has ended. A partition of payloads stays while any run or step refers to one of them: a run may
 * refer to payloads up to a week older (`run-input.ts`). Processes may run it concurrently.
 */
export function dropOldRunsJob(db: Database, clock: Clock, days: number): PeriodicJob {
  return {
    name: 'drop old runs',
    what: 'Drops the weekly partitions whose runs are older than `RUN_RETENTION_DAYS`.',
    everyMs: HOUR_MS,
    run: async () => {
      const partitions = await listPartitions(db);
      const runs = new Set(partitions.filter(({ table }) => table === 'runs').map(({ day }) => day));
      for (const { table, day } of partitions) {
        const end = startOf(day) + WEEK_MS;
        if (end > clock.now().getTime() - days * DAY_MS) continue;
        if (table === 'runs') {
          if (!(await hasOpenRuns(db, day)) && (await drop(db, 'runs', day))) runs.delete(day);
        } else if (!runs.has(day) && !(table === 'payloads' && (await arePayloadsUsed(db, day)))) {
          await drop(db, table, day);
        }
      }
    },
  };
}

/** The weekly partitions, those of runs first: no query reads steps or payloads without their run. */
async function listPartitions(db: Database): Promise<Partition[]> {
  const rows = await db.query<Partition>(
    `SELECT p.relname::text AS table, right(c.relname, 8) AS day
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE i.inhparent IN (${PARTITIONED}) AND c.relname ~ '_[0-9]{8}$'
     ORDER BY p.relname <> 'runs', p.relname, day`,
  );
  return rows;
}

async function hasOpenRuns(db: Database, day: string): Promise<boolean> {
  const open = `SELECT 1 FROM runs WHERE id >= $1 AND id < $2 AND finished_at IS NULL LIMIT 1`;
  const start = startOf(day);
  return (await db.query(open, [lowestUuidAt(start), lowestUuidAt(start + WEEK_MS)])).length > 0;
}

/** Once this is false it stays false: retries share only younger payloads. */
async function arePayloadsUsed(db: Database, day: string): Promise<boolean> {
  const start = startOf(day);
  const range = [lowestUuidAt(start), lowestUuidAt(start + WEEK_MS)];
  const rows = await db.query(
    `SELECT 1 FROM runs WHERE payload_id >= $1 AND payload_id < $2
     UNION ALL SELECT 1 FROM steps WHERE payload_id >= $1 AND payload_id < $2
     UNION ALL SELECT 1 FROM event_fan_outs WHERE payload_id >= $1 AND payload_id < $2 LIMIT 1`,
    range,
  );
  return rows.length > 0;
}

/** @returns false when the table is locked; the next run of the job tries again. */
async function drop(db: Database, table: Partition['table'], day: string): Promise<boolean> {
  try {
    await db.transaction(async ({ manager }) => {
      await manager.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      await manager.query(`DROP TABLE IF EXISTS ${table}_${day}`);
    });
    return true;
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

function startOf(day: string): number {
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`);
}
