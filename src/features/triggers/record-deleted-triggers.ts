import { columnsOf } from '../../platform/db/columns.js';
import { isWanted } from '../webhooks/record-events.js';
import { type WorkflowEnding } from '../workflows/workflow.service.js';
import { recordTriggerEvents } from './trigger-webhook.js';
import { Trigger } from './trigger.entity.js';

/**
 * Tells webhooks of the triggers that are about to go with their workflow. Where somebody wants to hear, it holds the
 * workflow and then its triggers, so that none comes or goes between what is told and what is deleted.
 */
export const recordDeletedTriggers: WorkflowEnding = async (tx, now, workflow, { accountId, hops }) => {
  const [held] = await tx.query(
    `SELECT 1 AS one FROM workflows w WHERE w.id = $1 AND w.account_id = $2
       AND ${isWanted('w.account_id', `'trigger.deleted'`, 'NULL')} FOR UPDATE`,
    [workflow, accountId],
  );
  if (held === undefined) return;
  const triggers = await tx.select(
    Trigger,
    `SELECT ${columnsOf(Trigger, 't')} FROM triggers t WHERE t.workflow_id = $1 ORDER BY t.id FOR UPDATE`,
    [workflow],
  );
  await recordTriggerEvents(tx, { type: 'trigger.deleted', at: now, hops, triggers, goWithWorkflow: true });
};
