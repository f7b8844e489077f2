import { type WebhookDeliveryStatus } from '../../../graphql/enums.generated.js';

/** What a delivery can be looked for by. */
export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const satisfies readonly WebhookDeliveryStatus[];
