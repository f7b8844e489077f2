import { columnsOf } from '../db/columns.js';
import { isWanted } from '../webhooks/record-events.js';
import { type WorkflowEnding } from '../workflows/workflow.service.js';
import { tellOfTriggers } from './trigger-webhook.js';
import { Trigger } from './trigger.entity.js';

/** Tells webhooks of the triggers that are about to go with their workflow. */
export const tellOfDeletedWorkflow: WorkflowEnding = async (tx, now, workflow, { accountId, hops }) => {
  const triggers = await tx.select(
    Trigger,
    `SELECT ${columnsOf(Trigger, 't')} FROM triggers t WHERE t.workflow_id = $1 AND t.account_id = $2
       AND ${isWanted('t.account_id', `'trigger.deleted'`, 'NULL')} ORDER BY t.id`,
    [workflow, accountId],
  );
  await tellOfTriggers(tx, { type: 'trigger.deleted', at: now, hops, triggers, goWithWorkflow: true });
};
