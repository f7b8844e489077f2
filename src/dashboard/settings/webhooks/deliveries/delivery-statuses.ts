import { type WebhookDeliveryStatus } from '../../../graphql/enums.generated.js';

/** The choices of the filter by status. */
export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const satisfies readonly WebhookDeliveryStatus[];
