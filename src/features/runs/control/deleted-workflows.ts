import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type WorkflowEnding } from '../../workflows/workflow.service.js';
import { cancelRuns } from './run-ending.js';
import { publishRunChanges } from '../feed/run.events.js';

/** Workers cancel any further runs: they start no run of a deleted workflow. */
const AT_ONCE = 5_000;
/** The unclaimed open runs of a workflow, in id order, as every transaction locks runs. */
const OPEN = `SELECT id AS uuid FROM runs WHERE workflow_id = $1 AND account_id = $2 AND finished_at IS NULL AND claim IS NULL
  ORDER BY id LIMIT ${AT_ONCE} FOR NO KEY UPDATE`;

/**
 * Before a workflow is deleted: waits for workers that are claiming its runs, so that no run starts after the deletion.
 * Runs are locked before the workflow, in the same order as when a run is saved.
 */
export const lockOpenRuns: WorkflowEnding = async (tx, _now, workflow, { accountId }) => {
  await tx.query(OPEN, [workflow, accountId]);
};

/**
 * Cancels the queued and waiting runs of a deleted workflow. A worker cancels the runs it has claimed after their
 * current step. Records the time of deletion: the runs are kept for 30 days after it.
 */
export function endRunsWithWorkflow(notifications: Notifications): WorkflowEnding {
  return async (tx, now, workflow, { accountId }) => {
    await tx.query(
      `INSERT INTO deleted_workflows (workflow_id, account_id, deleted_at)
       SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM runs WHERE workflow_id = $1)`,
      [workflow, accountId, now],
    );
    // A locked run was fired after the first lock and is being claimed: its worker finds the workflow deleted.
    const open = await tx.query<{ uuid: string }>(`${OPEN} SKIP LOCKED`, [workflow, accountId]);
    const uuids = open.map(({ uuid }) => uuid);
    await publishRunChanges(notifications, tx, await cancelRuns(tx, now, uuids, 'workflow_deleted'));
  };
}
