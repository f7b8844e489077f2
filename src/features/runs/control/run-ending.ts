import { type Transaction } from '../../../platform/db/database.js';
import { sqlStates } from '../../../platform/transitions.js';
import { CANCELED } from '../execution/claimed-run.js';
import { marksUpTo } from '../feed/change-marks.js';
import { statusBefore } from '../feed/run-change.js';
import { type RunChange } from '../queue/runs-changed.js';
import { RUN_TRANSITIONS } from '../run-status.js';

const CANCELABLE = sqlStates(RUN_TRANSITIONS.canceled.from);

/**
 * Cancels unclaimed runs that the transaction has locked, with the steps they were waiting in. Their jobs stay in the
 * queue: the worker that fetches one finds the run ended and settles the job.
 */
export async function cancelRuns(
  tx: Transaction,
  now: Date,
  runs: readonly string[],
  reason: string | null,
): Promise<RunChange[]> {
  if (runs.length === 0) return [];
  const changes = await tx.query<Omit<RunChange, 'from' | 'to' | 'at'> & { finishedAt: Date }>(
    `WITH interrupted AS (
       UPDATE steps SET status = 'failed', error = $4, finished_at = $2 WHERE run_id = ANY($1) AND status IN ('running', 'waiting'))
     UPDATE runs r SET status = 'canceled', status_reason = $3, finished_at = greatest($2, started_at, created_at, wait_changed_at),
       resume_at = NULL, version = version + 1, change_marks = ${marksUpTo('r.version + 1')}
     WHERE id = ANY($1) AND status IN (${CANCELABLE})
     RETURNING id AS run, account_id AS account, workflow_id AS workflow, version, finished_at AS "finishedAt"`,
    [runs, now, reason, JSON.stringify(CANCELED)],
  );
  return changes.map(({ finishedAt, ...change }) => ({
    ...change,
    from: statusBefore(change.version),
    to: 'canceled',
    at: finishedAt.getTime(),
  }));
}
