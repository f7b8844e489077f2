import { registerEnumType } from 'type-graphql';

/** The states of a webhook. */
export const WebhookStatus = { ENABLED: 'enabled', DISABLED: 'disabled' } as const;
export type WebhookStatus = (typeof WebhookStatus)[keyof typeof WebhookStatus];

/** Why the service disabled a webhook. */
export const DISABLED_REASONS = {
  gone: 'It answered 410.',
  failing: 'It only failed for five days.',
} as const;

export type DisabledReason = keyof typeof DISABLED_REASONS;

registerEnumType(WebhookStatus, {
  name: 'WebhookStatus',
  description: 'Whether events are sent to a webhook.',
  valuesConfig: {
    ENABLED: { description: 'Events are sent.' },
    DISABLED: {
      description: 'Nothing is sent: a client disabled it, it answered 410, or it only failed for five days.',
    },
  },
});

/** The states of a delivery. The last two are final. */
export const DeliveryStatus = { PENDING: 'pending', SUCCEEDED: 'succeeded', FAILED: 'failed' } as const;
export type DeliveryStatus = (typeof DeliveryStatus)[keyof typeof DeliveryStatus];

registerEnumType(DeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'The status of a delivery.',
  valuesConfig: {
    PENDING: { description: 'It will be sent, or retried.' },
    SUCCEEDED: { description: 'The URL answered 2xx.' },
    FAILED: { description: 'It failed and is not retried.' },
  },
});
