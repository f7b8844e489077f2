import { type Queryable } from '../../platform/db/database.js';
import { recordEvents } from '../webhooks/record-events.js';
import { type Trigger } from './trigger.entity.js';

/** What is told of triggers. */
export interface TriggerEvents {
  type: 'trigger.created' | 'trigger.updated' | 'trigger.deleted';
  at: Date;
  /** How many of our own runs in a row led to it. */
  hops: number;
  triggers: readonly Trigger[];
  /** They go with their workflow, and so do the webhooks that hear of it alone. */
  goWithWorkflow?: boolean;
}

/**
 * Tells webhooks of triggers, with the caller's transaction: in REST's shape, but for `config.secret` and
 * `webhook_url`, with which whoever gets to read it could fire them.
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
