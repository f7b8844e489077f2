import { type Queryable } from '../../platform/db/database.js';
import { recordEvents } from '../webhooks/record-events.js';
import { type Trigger } from './trigger.entity.js';

/** A change of triggers to record. */
export interface TriggerEvents {
  type: 'trigger.created' | 'trigger.updated' | 'trigger.deleted';
  at: Date;
  /** How many runs in a row led to it. */
  hops: number;
  triggers: readonly Trigger[];
  /** The triggers are deleted with their workflow, and so are the webhooks for that workflow alone. */
  goWithWorkflow?: boolean;
}

/**
 * Records webhook events of triggers in the caller's transaction. Triggers are in REST's shape, without `config.secret`
 * and `webhook_url`: a reader of these could fire them.
 */
export async function recordTriggerEvents(
  tx: Queryable,
  { type, at, hops, triggers, goWithWorkflow = false }: TriggerEvents,
): Promise<void> {
  const events = triggers.map((trigger) => {
    const { id, accountId, workflowId, config, status, createdAt } = trigger;
    const { secret: _, ...shown } = config;
    const data = { id, workflow_id: workflowId, type: trigger.type, config: shown, status, created_at: createdAt };
    return { type, accountId, workflowUuid: goWithWorkflow ? null : trigger.workflowUuid, data, hops };
  });
  await recordEvents(tx, at, events);
}
