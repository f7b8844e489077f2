import { changeTime } from '../../../platform/changes/change-time.js';
import { type WorkflowEnding } from '../../workflows/workflow.service.js';
import { recordTriggerEvents } from './trigger-webhook.js';
import { recordWaitingOfAll } from './waiting-changes.js';

/**
 * Records `trigger.deleted` events for the triggers of a workflow before it is deleted, and the waiting events about
 * them. Locks the workflow and then its triggers, so that exactly the recorded triggers are deleted and no change of
 * their status comes in between.
 */
export const recordDeletedTriggers: WorkflowEnding = async (tx, now, workflow, { accountId, hops }) => {
  const locked = await tx.query(`SELECT 1 AS one FROM workflows WHERE id = $1 AND account_id = $2 FOR UPDATE`, [
    workflow,
    accountId,
  ]);
  if (locked.length === 0) return;
  const triggers = await tx.query<{ uuid: string; updatedAt: Date }>(
    `SELECT t.id AS uuid, t.updated_at AS "updatedAt" FROM triggers t WHERE t.workflow_id = $1 ORDER BY t.id FOR UPDATE`,
    [workflow],
  );
  if (triggers.length === 0) return;
  const uuids = triggers.map(({ uuid }) => uuid);
  await recordWaitingOfAll(tx, accountId, uuids);
  const at = triggers.reduce((latest, { updatedAt }) => changeTime(latest, updatedAt), now);
  await recordTriggerEvents(tx, { type: 'trigger.deleted', at, hops, uuids, goWithWorkflow: true });
};
