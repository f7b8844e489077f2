import { connectionResolver } from '../../platform/graphql/connections.js';
import { Webhook } from './webhook.entity.js';

export const WebhookConnectionResolver = connectionResolver({
  name: 'webhook',
  node: Webhook,
  description: 'Outbound webhooks of the account, newest first.',
});
