/** What a webhook can be registered for. */
export const WEBHOOK_EVENTS = [
  'run.succeeded',
  'run.failed',
  'run.canceled',
  'workflow.created',
  'workflow.updated',
  'workflow.deleted',
  'trigger.created',
  'trigger.updated',
  'trigger.deleted',
  'integration.pending',
  'integration.connected',
  'integration.expiring',
  'integration.expired',
  'integration.disconnected',
  'integration.deleted',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** What `POST /webhooks/{id}/test` sends, registered or not; it is tried once. */
export const TEST_EVENT = 'webhook.test';
