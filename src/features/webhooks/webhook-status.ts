import { registerEnumType } from 'type-graphql';

export const WebhookStatus = { ENABLED: 'enabled', DISABLED: 'disabled' } as const;
export type WebhookStatus = (typeof WebhookStatus)[keyof typeof WebhookStatus];

/** Why the service disabled a webhook by itself: it answered 410, or did nothing but fail for five days. */
export type DisabledReason = 'gone' | 'failing';

registerEnumType(WebhookStatus, {
  name: 'WebhookStatus',
  description: 'Whether a webhook is told of events.',
  valuesConfig: {
    ENABLED: { description: 'It is told.' },
    DISABLED: { description: 'It is told nothing: by a person, or because it was gone or failed for five days.' },
  },
});

export const DeliveryStatus = { PENDING: 'pending', SUCCEEDED: 'succeeded', FAILED: 'failed' } as const;
export type DeliveryStatus = (typeof DeliveryStatus)[keyof typeof DeliveryStatus];

registerEnumType(DeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'How far a delivery has come.',
  valuesConfig: {
    PENDING: { description: 'It will be tried, or tried again.' },
    SUCCEEDED: { description: 'The address answered 2xx.' },
    FAILED: { description: 'Given up.' },
  },
});
