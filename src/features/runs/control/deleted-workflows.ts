import { type Notifications } from '../../../platform/notifications/notifications.js';
import { type WorkflowEnding } from '../../workflows/workflow.service.js';
import { cancelRuns } from './run-ending.js';
import { publishRunChanges } from '../feed/run.events.js';

/** More than these are left to the workers, which start nothing of a workflow that is gone. */
const AT_ONCE = 5_000;
/** The runs of a workflow that no worker holds, in the order in which everybody locks runs. */
const OPEN = `SELECT id AS uuid FROM runs WHERE workflow_id = $1 AND account_id = $2 AND finished_at IS NULL AND claim IS NULL
  ORDER BY id LIMIT ${AT_ONCE} FOR NO KEY UPDATE`;

/**
 * Before a workflow is locked and deleted: waits for whoever is just claiming its runs, so that none of them starts once
 * it is gone. In this order, since who saves a run locks the run first, then its workflow.
 */
export const lockOpenRuns: WorkflowEnding = async (tx, _now, workflow, { accountId }) => {
  await tx.query(OPEN, [workflow, accountId]);
};

/**
 * Ends the runs that no worker holds, queued or waiting, with their workflow; a worker ends those that it holds after
 * the step under way. Notes the moment, from which they are kept for 30 days.
 */
export function endRunsWithWorkflow(notifications: Notifications): WorkflowEnding {
  return async (tx, now, workflow, { accountId }) => {
    await tx.query(
      `INSERT INTO deleted_workflows (workflow_id, account_id, deleted_at)
       SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM runs WHERE workflow_id = $1)`,
      [workflow, accountId, now],
    );
    // A run that is locked has been fired since, and is just being taken: who does that finds the workflow gone.
    const open = await tx.query<{ uuid: string }>(`${OPEN} SKIP LOCKED`, [workflow, accountId]);
    const uuids = open.map(({ uuid }) => uuid);
    await publishRunChanges(notifications, tx, await cancelRuns(tx, now, uuids, 'workflow_deleted'));
  };
}
