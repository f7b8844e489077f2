import { setTimeout } from 'node:timers/promises';
import { type Database } from './database.js';
import { sqlState } from './sql-state.js';

/** PostgreSQL's query_canceled: a statement took longer than it may. */
const QUERY_CANCELED = '57014';

/** The bounds of work in batches. */
export interface Batches {
  /** The most rows of one batch. */
  size: number;
  /** Ends the work after the current batch. */
  signal: AbortSignal | undefined;
}

/**
 * How long a canceled statement may take to unlock its rows, in milliseconds: PostgreSQL reports the error first. The
 * batch after it may run on another connection and skip those rows.
 */
const UNLOCKED_MS = 250;

/**
 * For jobs that delete or update many rows: repeats `work` on at most `limit` rows, each time in its own transaction,
 * until it returns false because no rows are left. A batch that exceeds the statement timeout is retried with a quarter
 * of the rows. After such a failure `work` is called once more when it has returned false; work that skips locked rows
 * starts from the first row then.
 */
export async function inBatches({ size, signal }: Batches, work: (limit: number) => Promise<boolean>): Promise<void> {
  let hasFailed = false;
  for (let limit = size; signal?.aborted !== true;) {
    try {
      if (await work(limit)) {
        limit = Math.min(size, limit * 2);
        continue;
      }
      if (!hasFailed) return;
      hasFailed = false;
      await setTimeout(UNLOCKED_MS, undefined, { signal }).catch(() => undefined);
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELED || limit === 1) throw error;
      hasFailed = true;
      limit = Math.ceil(limit / 4);
    }
  }
}

/** Rows of a table that are no longer needed. Names and condition become part of the statement's text. */
export interface Outdated {
  table: string;
  /** The time that makes a row outdated, the first column of an index. */
  column: string;
  /** A row is outdated when its time is this or earlier. */
  until: Date;
  /** A further SQL condition. */
  where?: string;
}

/** The rows that one statement deletes. */
const SIZE = 5_000;
/** Earlier than any time. */
const BEGINNING = '-infinity';

/**
 * Deletes outdated rows, oldest first. Several processes may do so at once. Each batch starts where the one before
 * ended; otherwise it would walk over the index entries of all rows deleted before.
 */
export async function prune(
  db: Database,
  signal: AbortSignal | undefined,
  { table, column, until, where = 'true' }: Outdated,
): Promise<void> {
  const statement = `
    WITH gone AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${table} WHERE ${column} <= $1 AND ${column} >= $2 AND ${where}
        ORDER BY ${column} LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING ${column} AS at)
    SELECT count(*) AS count, max(at) AS last FROM gone`;
  let from: Date | string = BEGINNING;
  await inBatches({ size: SIZE, signal }, async (limit) => {
    const [gone] = await db.query<{ count: number; last: Date | null }>(statement, [until, from, limit]);
    const isFull = gone!.count === limit;
    from = isFull ? gone!.last! : BEGINNING;
    return isFull;
  });
}
