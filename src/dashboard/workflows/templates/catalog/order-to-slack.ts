import { type TemplateFor } from '../template.js';

/** A large order is announced in a channel. */
export const orderToSlack: TemplateFor = () => ({
  name: 'New order to Slack',
  description: 'When your shop posts an order above 100, a message appears in a Slack channel.',
  needs: { slack: 'Slack' },
  trigger: { type: 'WEBHOOK' },
  actions: [
    {
      name: 'large order',
      kind: 'CONDITION',
      config: { path: 'trigger.body.order.total', operator: 'greater_than', value: 100 },
    },
    {
      name: 'message',
      kind: 'APP_REQUEST',
      config: {
        integration_id: 'slack',
        method: 'POST',
        path: '/chat.postMessage',
        body: {
          channel: '#orders',
          text: 'Order {{ trigger.body.order.id }} from {{ trigger.body.customer.name }}: {{ trigger.body.order.total }}',
        },
      },
    },
  ],
  sample: { order: { id: 'A-1001', total: 250 }, customer: { name: 'Ada Lovelace' } },
});
