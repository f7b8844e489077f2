import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type RunQueue } from './queue/run-queue.js';

/** Runs that one transaction queues. */
const BATCH = 500;

/** What the jobs of runs need. */
export interface RunJobsDependencies {
  db: Database;
  queue: RunQueue;
}

/**
 * Queues waiting runs whose time has come, by the clock of the database. Processes may run it concurrently.
 */
export function resumeRunsJob({ db, queue }: RunJobsDependencies): PeriodicJob {
  const resume = async (limit: number): Promise<boolean> => {
    const count = await db.transaction(async (tx) => {
      // Two statements, because one that locks rows must not look up partitions: see `lockedPayloadBody`.
      const due = await tx.query<{ uuid: string; accountId: string }>(
        `SELECT id AS uuid, account_id AS "accountId" FROM runs WHERE resume_at <= clock_now() AND status = 'running'
         ORDER BY resume_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
        [limit],
      );
      if (due.length === 0) return 0;
      const uuids = due.map(({ uuid }) => uuid).sort();
      await tx.query(`UPDATE runs SET resume_at = NULL WHERE id = ANY($1) AND id >= $2 AND id <= $3`, [
        uuids,
        uuids[0],
        uuids.at(-1),
      ]);
      await queue.add(tx, due);
      return due.length;
    });
    if (count > 0) queue.announce();
    return count === limit;
  };
  return {
    name: 'resume runs',
    what: 'Queues waiting runs whose time has come.',
    everyMs: 1_000,
    run: (signal) => inBatches({ size: BATCH, signal }, resume),
  };
}
