import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { type Notifications } from '../events/notifications.js';
import { type PeriodicJob } from '../jobs/periodic.js';
import { type RunQueue } from './run-queue.js';
import { publishRunChanges } from './run.events.js';

const BATCH = 500;

export interface RunJobsDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
  notifications: Notifications;
}

/** Queues runs whose pause is over. Any number of processes may look at once. */
export function resumeRunsJob({ db, clock, queue }: RunJobsDependencies): PeriodicJob {
  const batch = async (): Promise<number> => {
    const count = await db.transaction(async (tx) => {
      const due = await tx.query<{ uuid: string; accountId: string }>(
        `WITH due AS (
           SELECT id FROM runs WHERE resume_at <= $1 ORDER BY resume_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE runs r SET resume_at = NULL FROM due WHERE r.id = due.id AND r.status = 'running'
         RETURNING r.id AS uuid, r.account_id AS "accountId"`,
        [clock.now()],
      );
      await queue.add(tx, due);
      return due.length;
    });
    if (count > 0) queue.announce();
    return count;
  };
  return {
    name: 'resume runs',
    everyMs: 1_000,
    run: async () => {
      while ((await batch()) === BATCH);
    },
  };
}

/** Fails runs that took three workers with them. */
export function lostRunsJob({ db, clock, queue, notifications }: RunJobsDependencies): PeriodicJob {
  return {
    name: 'lost runs',
    everyMs: 2_000,
    run: async () => {
      const jobs = await queue.fetchLost(100);
      if (jobs.length === 0) return;
      const now = clock.now();
      await db.transaction(async (tx) => {
        const failed = await tx.query<{ uuid: string; account: string; workflow: string; version: number }>(
          `WITH lost AS (
             SELECT id FROM runs WHERE id = ANY($1) AND status IN ('queued', 'running') ORDER BY id FOR NO KEY UPDATE),
           steps_lost AS (
             UPDATE steps s SET status = 'failed', finished_at = $2, error = $3 FROM lost
             WHERE s.run_id = lost.id AND s.status = 'running')
           UPDATE runs r SET status = 'failed', status_reason = 'worker_lost', error = $3, finished_at = $2, claim = NULL,
             resume_at = NULL, version = version + 1
           FROM lost WHERE r.id = lost.id
           RETURNING r.id AS uuid, r.account_id AS account, r.workflow_id AS workflow, r.version`,
          [
            jobs.map(({ data }) => data.run),
            now,
            JSON.stringify({ code: 'worker_lost', message: 'The run ended three workers that tried to carry it out.' }),
          ],
        );
        await queue.lostDone(tx, jobs);
        await publishRunChanges(
          notifications,
          tx,
          failed.map(({ uuid, account, workflow, version }) => ({
            run: uuid,
            account,
            workflow,
            from: 'running',
            to: 'failed',
            version,
            at: now.getTime(),
          })),
        );
      });
    },
  };
}
