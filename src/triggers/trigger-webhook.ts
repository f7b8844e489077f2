import { type Queryable } from '../db/database.js';
import { recordEvents } from '../webhooks/record-events.js';
import { type Trigger } from './trigger.entity.js';

/**
 * Tells webhooks of triggers, with the caller's transaction: in REST's shape, but for `config.secret` and
 * `webhook_url`, with which whoever gets to read it could fire them.
 */
export async function tellOfTriggers(
  tx: Queryable,
  now: Date,
  type: 'trigger.created' | 'trigger.updated' | 'trigger.deleted',
  triggers: readonly Trigger[],
): Promise<void> {
  const events = triggers.map((trigger) => {
    const { id, accountId, workflowUuid, workflowId, config, status, createdAt } = trigger;
    const { secret: _, ...shown } = config;
    const data = { id, workflow_id: workflowId, type: trigger.type, config: shown, status, created_at: createdAt };
    return { type, accountId, workflowUuid, data };
  });
  await recordEvents(tx, now, events);
}
