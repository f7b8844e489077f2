import { type Database } from '../../platform/db/database.js';
import { inBatches } from '../../platform/db/in-batches.js';
import { DueInTurns, type DueTable } from '../../platform/jobs/due-in-turns.js';
import { type PeriodicJob } from '../../platform/jobs/periodic.js';
import { type RunQueue } from './queue/run-queue.js';

/** Runs that one transaction queues. */
const BATCH = 500;

/** Waiting runs whose time has come. */
export const DUE_RUNS: DueTable = {
  table: 'runs',
  at: 'resume_at',
  isDue: `t.resume_at <= clock_now() AND t.status = 'running'`,
  values: 0,
};

/** Locks some due runs. It must not join anything, because `runs` has partitions: see `lockedPayloadBody`. */
const LOCK = `
  SELECT id AS uuid, account_id AS "accountId" FROM runs
  WHERE id = ANY($1) AND id >= $2 AND id <= $3 AND resume_at <= clock_now() AND status = 'running'
  FOR NO KEY UPDATE SKIP LOCKED`;

/** What the jobs of runs need. */
export interface RunJobsDependencies {
  db: Database;
  queue: RunQueue;
}

/**
 * Queues waiting runs whose time has come, by the clock of the database. Accounts take turns. Processes may run it
 * concurrently.
 */
export function resumeRunsJob({ db, queue }: RunJobsDependencies): PeriodicJob {
  const due = new DueInTurns(DUE_RUNS);
  const resume = async (limit: number): Promise<boolean> => {
    const uuids = (await due.next(db, limit)).sort();
    if (uuids.length === 0) return false;
    const range = [uuids, uuids[0], uuids.at(-1)];
    const count = await db.transaction(async (tx) => {
      const locked = await tx.query<{ uuid: string; accountId: string }>(LOCK, range);
      if (locked.length === 0) return 0;
      const ids = locked.map(({ uuid }) => uuid);
      await tx.query(`UPDATE runs SET resume_at = NULL WHERE id = ANY($1) AND id >= $2 AND id <= $3`, [
        ids,
        ...range.slice(1),
      ]);
      await queue.add(tx, locked);
      return locked.length;
    });
    if (count > 0) queue.announce();
    return uuids.length === limit && count > 0;
  };
  return {
    name: 'resume runs',
    what: 'Queues waiting runs whose time has come.',
    everyMs: 1_000,
    run: (signal) => inBatches({ size: BATCH, signal }, resume),
  };
}
