import { type ErrorDetail, validationError } from '../../platform/errors.js';

/** The types of events that a webhook can be registered for, and when each is sent. */
export const EVENT_MEANINGS = {
  'run.succeeded': 'A run has succeeded.',
  'run.failed': 'A run has failed. `error` gives the reason.',
  'run.canceled': 'A run was canceled by a client, or because its workflow was deleted.',
  'run.waiting': 'A run waits for something outside; sent each time that it begins to wait.',
  'wait.created': 'A run waits for a connection, an approval or a callback. `connect_url` or `url` leads to it.',
  'wait.answered': 'A wait was answered, perhaps before its run reached it.',
  'wait.expired': 'A wait ended without an answer.',
  'wait.canceled': 'A wait ended with its run.',
  'workflow.created': 'A workflow was created.',
  'workflow.updated': 'Fields of a workflow, or its actions, were changed.',
  'workflow.deleted': 'A workflow was deleted. Only webhooks of the whole account receive it.',
  'workflow.failing':
    'So many runs of a workflow have failed in a row as its `failure_notice_after` says. Once, until a run succeeds.',
  'workflow.recovered': 'A run of a failing workflow has succeeded.',
  'trigger.created': 'A trigger was created. The event omits the secret in its config and its URL.',
  'trigger.updated': 'A trigger was changed by a client or by the service (status `error`).',
  'trigger.deleted': 'A trigger was deleted, alone or with its workflow.',
  'integration.pending': 'A user is asked for access in the browser.',
  'integration.connected': 'An integration is connected. Also sent if a flow that was to reconnect it failed.',
  'integration.expiring': 'A connection that the service cannot renew expires within seven days.',
  'integration.expired': 'A connection has expired and could not be renewed.',
  'integration.disconnected': 'A connection was ended, or a first flow failed. `status_reason` gives the reason.',
  'integration.deleted': 'An integration was deleted.',
} as const;

/** A type that a webhook can be registered for. */
export type WebhookEventType = keyof typeof EVENT_MEANINGS;

/** Every event type, in the order of the documents. */
export const WEBHOOK_EVENTS = Object.keys(EVENT_MEANINGS) as readonly WebhookEventType[];

/** The fault of a list of more types than there are. */
export const TOO_MANY_EVENTS = `must not name more than the ${WEBHOOK_EVENTS.length} there are`;

/** The event of `POST /webhooks/{id}/test`. It is sent once, to any webhook, and cannot be registered for. */
export const TEST_EVENT = 'webhook.test';

/**
 * Validates a list of event types. @throws AppError `validation_error` for unknown and repeated types, and for those
 * that a webhook of one workflow would never receive.
 */
export function validateEvents(events: readonly string[], isOfWorkflow: boolean): void {
  // Checked first, so that a list of tens of thousands gets one error and not one per item.
  if (events.length > WEBHOOK_EVENTS.length) throw validationError({ field: 'events', message: TOO_MANY_EVENTS });
  const details = events.flatMap((event, index): ErrorDetail[] => {
    const field = `events.${index}`;
    if (!Object.hasOwn(EVENT_MEANINGS, event))
      return [{ field, message: `must be one of ${WEBHOOK_EVENTS.join(', ')}` }];
    if (isOfWorkflow && !isOfWorkflows(event))
      return [{ field, message: 'is not about workflows: a webhook of one workflow never receives it' }];
    return events.indexOf(event) < index ? [{ field, message: 'must not be named twice' }] : [];
  });
  const [first, ...rest] = details;
  if (first !== undefined) throw validationError(first, ...rest);
}

/** Whether events of a type belong to a workflow. */
function isOfWorkflows(event: string): boolean {
  return !event.startsWith('integration.');
}
