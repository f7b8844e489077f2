import { type ErrorDetail, validationError } from '../../platform/errors.js';

/** The types of events that a webhook can be registered for. */
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

/** A type that a webhook can be registered for. */
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** The event of `POST /webhooks/{id}/test`. It is sent once, to any webhook, and cannot be registered for. */
export const TEST_EVENT = 'webhook.test';

/** Validates a list of event types. @throws AppError `validation_error` for unknown and repeated types. */
export function validateEvents(events: readonly string[]): void {
  // Checked first, so that a list of tens of thousands gets one error and not one per item.
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
