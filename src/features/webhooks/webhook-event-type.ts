import { type ErrorDetail, validationError } from '../../platform/errors.js';

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

/** Refuses a list that names what is no event, or one twice. @throws AppError `validation_error`. */
export function validateEvents(events: readonly string[]): void {
  // Before each of tens of thousands gets a sentence of its own.
  if (events.length > WEBHOOK_EVENTS.length)
    throw validationError({
      field: 'events',
      message: `must not name more than the ${WEBHOOK_EVENTS.length} there are`,
    });
  const details = events.flatMap((event, index): ErrorDetail[] => {
    const field = `events.${index}`;
    if (!(WEBHOOK_EVENTS as readonly string[]).includes(event))
      return [{ field, message: `must be one of ${WEBHOOK_EVENTS.join(', ')}` }];
    return events.indexOf(event) < index ? [{ field, message: 'must not be named twice' }] : [];
  });
  const [first, ...rest] = details;
  if (first !== undefined) throw validationError(first, ...rest);
}
