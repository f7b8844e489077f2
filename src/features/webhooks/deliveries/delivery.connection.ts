import { connectionResolver } from '../../../platform/graphql/connections.js';
import { DeliveriesOfWebhook } from '../webhook.inputs.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

export const DeliveryConnectionResolver = connectionResolver({
  name: 'delivery',
  node: WebhookDelivery,
  filter: DeliveriesOfWebhook,
  description: 'Deliveries of one webhook, newest first. They are kept for 30 days.',
});
