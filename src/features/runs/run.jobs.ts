import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type RunQueue } from './queue/run-queue.js';

/** Runs that one transaction queues. */
const BATCH = 500;

/** What the jobs of runs need. */
export interface RunJobsDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
}

/** Queues waiting runs whose time has come. Processes may run it concurrently. */
export function resumeRunsJob({ db, clock, queue }: RunJobsDependencies): PeriodicJob {
  const resume = async (limit: number): Promise<boolean> => {
    const count = await db.transaction(async (tx) => {
      const due = await tx.query<{ uuid: string; accountId: string }>(
        `WITH due AS (
           SELECT id FROM runs WHERE resume_at <= $1 ORDER BY resume_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE runs r SET resume_at = NULL FROM due WHERE r.id = due.id AND r.status = 'running'
         RETURNING r.id AS uuid, r.account_id AS "accountId"`,
        [clock.now(), limit],
      );
      await queue.add(tx, due);
      return due.length;
    });
    if (count > 0) queue.announce();
    return count === limit;
  };
  return {
    name: 'resume runs',
    everyMs: 1_000,
    run: (signal) => inBatches({ size: BATCH, signal }, resume),
  };
}
