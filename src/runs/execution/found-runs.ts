import { type Transaction } from '../../db/database.js';
import { type HeldJob } from '../../jobs/job-queue.js';
import { storedText } from '../../payloads/payloads.js';
import { type RunStatus } from '../run-status.js';
import { CANCELED, type ClaimedRun, type StepState } from './claimed-run.js';
import { type RunRow } from './run-rows.js';

/** A run that may be carried out now, as its locked row has it. */
export type FoundRun = Omit<ClaimedRun, 'job' | 'actions' | 'steps' | 'startedAt' | 'claim'> & {
  status: RunStatus;
  startedAt: Date | null;
  cancelRequested: boolean;
  workflowGone: boolean;
  actionsId: string | null;
  mayHaveSteps: boolean;
};

const IS_DUE = `(r.status IN ('queued', 'running') AND r.resume_at IS NULL)`;

/**
 * The runs of jobs, locked in the order of their ids; without those that are over, or wait for their time. These are
 * locked too: who ends a wait meanwhile would find a job, and queue no other, that the transaction is about to settle.
 */
export async function lockRuns(tx: Transaction, jobs: readonly HeldJob[]): Promise<FoundRun[]> {
  const uuids = jobs.map(({ id }) => id).sort();
  const rows = await tx.query<FoundRun & { isDue: boolean }>(
    `SELECT r.id AS uuid, r.account_id AS "accountId", r.workflow_id AS "workflowUuid",
       r.trigger_id AS "triggerUuid", r.trigger_type AS "triggerType", r.hops, r.version,
       r.started_at AS "startedAt", r.actions_id AS "actionsId", r.status, r.cancel_requested AS "cancelRequested",
       r.workers_lost + (r.claim IS NOT NULL)::int AS "workersLost",
       (r.status = 'running' OR r.retry_of IS NOT NULL) AS "mayHaveSteps",
       NOT EXISTS (SELECT 1 FROM workflows w WHERE w.id = r.workflow_id) AS "workflowGone",
       ${IS_DUE} AS "isDue", CASE WHEN ${IS_DUE} THEN ${storedText('r.input', 'r.payload_id')}::json END AS input
     FROM runs r
     -- The bounds let PostgreSQL leave out the partitions of other weeks.
     WHERE r.id = ANY($1) AND r.id >= $2 AND r.id <= $3 ORDER BY r.id FOR NO KEY UPDATE`,
    [uuids, uuids[0], uuids.at(-1)],
  );
  return rows.filter(({ isDue }) => isDue);
}

/**
 * What was saved of the runs, by their uuids, in the order of the actions. Not read by the statement that locks them:
 * that would see what stood there when it began, not what a worker given up for dead saved while it waited.
 */
export async function stepsOf(tx: Transaction, runs: readonly FoundRun[]): Promise<ReadonlyMap<string, StepState[]>> {
  const uuids = runs.filter(({ mayHaveSteps }) => mayHaveSteps).map(({ uuid }) => uuid);
  if (uuids.length === 0) return new Map();
  uuids.sort();
  const steps = await tx.query<StepState & { run: string }>(
    `SELECT s.run_id AS run, s.index, s.name, s.kind, s.status, s.attempt, s.output, s.error,
       s.started_at AS "startedAt", s.finished_at AS "finishedAt"
     FROM steps s WHERE s.run_id = ANY($1) AND s.run_id >= $2 AND s.run_id <= $3 ORDER BY s.run_id, s.index`,
    [uuids, uuids[0], uuids.at(-1)],
  );
  return Map.groupBy(steps, ({ run }) => run);
}

/** Ends the steps that were under way when runs ended without their worker. */
export async function endSteps(tx: Transaction, now: Date, ends: readonly RunRow[]): Promise<void> {
  const begun = ends.filter(({ from }) => from === 'running');
  if (begun.length === 0) return;
  await tx.query(
    `UPDATE steps s SET status = 'failed', finished_at = $1, error = n.error
     FROM unnest($2::uuid[], $3::json[]) n (run_id, error) WHERE s.run_id = n.run_id AND s.status = 'running'`,
    [now, begun.map(({ run }) => run.uuid), begun.map(({ error }) => JSON.stringify(error ?? CANCELED))],
  );
}
