import { isWanted } from '../webhooks/record-events.js';
import { type WorkflowEnding } from '../workflows/workflow.service.js';
import { recordTriggerEvents } from './trigger-webhook.js';

/**
 * Records `trigger.deleted` events for the triggers of a workflow before it is deleted. If any webhook wants them, it
 * locks the workflow and then its triggers, so that exactly the recorded triggers are deleted.
 */
export const recordDeletedTriggers: WorkflowEnding = async (tx, now, workflow, { accountId, hops }) => {
  const [locked] = await tx.query(
    `SELECT 1 AS one FROM workflows w WHERE w.id = $1 AND w.account_id = $2
       AND ${isWanted('w.account_id', `'trigger.deleted'`, 'NULL')} FOR UPDATE`,
    [workflow, accountId],
  );
  if (locked === undefined) return;
  const triggers = await tx.query<{ uuid: string }>(
    `SELECT t.id AS uuid FROM triggers t WHERE t.workflow_id = $1 ORDER BY t.id FOR UPDATE`,
    [workflow],
  );
  const uuids = triggers.map(({ uuid }) => uuid);
  await recordTriggerEvents(tx, { type: 'trigger.deleted', at: now, hops, uuids, goWithWorkflow: true });
};
