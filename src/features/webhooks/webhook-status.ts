import { registerEnumType } from 'type-graphql';
import { openStates, type Transitions } from '../../platform/transitions.js';

/** The states of a webhook. */
export const WebhookStatus = { ENABLED: 'enabled', DISABLED: 'disabled' } as const;
export type WebhookStatus = (typeof WebhookStatus)[keyof typeof WebhookStatus];

/** Why the service disabled a webhook. */
export const DISABLED_REASONS = {
  gone: 'It answered 410.',
  failing: 'It only failed for five days.',
  backlog: 'More than 100,000 deliveries of the account waited, and it was among the webhooks with the most.',
} as const;

export type DisabledReason = keyof typeof DISABLED_REASONS;

registerEnumType(WebhookStatus, {
  name: 'WebhookStatus',
  description: 'Whether events are sent to a webhook.',
  valuesConfig: {
    ENABLED: { description: 'Events are sent.' },
    DISABLED: {
      description:
        'Nothing is sent: a client disabled it, it answered 410, only failed for five days, or had too many deliveries waiting.',
    },
  },
});

/** The states of a delivery. */
export const DeliveryStatus = { PENDING: 'pending', SUCCEEDED: 'succeeded', FAILED: 'failed' } as const;
export type DeliveryStatus = (typeof DeliveryStatus)[keyof typeof DeliveryStatus];

/** The transitions of a delivery. One that will be retried stays `pending`; one that a client repeats is another. */
export const DELIVERY_TRANSITIONS = {
  recorded: { from: [null], to: ['pending'], what: 'An event occurred, or a client repeated it or sent a test.' },
  answered: { from: ['pending'], to: ['succeeded'], what: 'The URL answered 2xx.' },
  failed: { from: ['pending'], to: ['failed'], what: 'The last attempt failed.' },
  dropped: {
    from: ['pending'],
    to: ['failed'],
    what: 'The webhook was disabled or deleted, the event was deleted, or the database was restored from a backup.',
  },
} as const satisfies Transitions<DeliveryStatus>;

/** How a delivery ends. */
export type DeliveryEnd = (typeof DELIVERY_TRANSITIONS)['answered' | 'failed' | 'dropped']['to'][number];

const OPEN = openStates<DeliveryStatus>(DELIVERY_TRANSITIONS);

/** Whether a status of a delivery is final. */
export function isSettled(status: DeliveryStatus): status is DeliveryEnd {
  return !OPEN.has(status);
}

registerEnumType(DeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'The status of a delivery.',
  valuesConfig: {
    PENDING: { description: 'It will be sent, or retried.' },
    SUCCEEDED: { description: 'The URL answered 2xx.' },
    FAILED: { description: 'It failed and is not retried.' },
  },
});
