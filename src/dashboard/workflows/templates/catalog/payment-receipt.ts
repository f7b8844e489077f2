import { randomHex } from '../../../graphql/random-hex.js';
import { type TemplateFor } from '../template.js';

/** A payment is confirmed by email; posts without the right signature are refused. */
export const paymentReceipt: TemplateFor = () => ({
  name: 'Payment receipt by email',
  description: 'When your payment provider posts a signed event for a paid invoice, the customer gets a receipt.',
  needs: {},
  // Each workflow has its own secret, which its trigger shows.
  trigger: { type: 'WEBHOOK', config: { secret: randomHex(32), signature_header: 'X-Signature-256' } },
  actions: [
    {
      name: 'is paid',
      kind: 'CONDITION',
      config: { path: 'trigger.body.status', operator: 'equals', value: 'paid' },
    },
    {
      name: 'receipt',
      kind: 'SEND_EMAIL',
      config: {
        to: ['{{ trigger.body.customer.email }}'],
        subject: 'Your receipt {{ trigger.body.id }}',
        text: 'Hello {{ trigger.body.customer.name }},\n\nthank you for your payment of {{ trigger.body.amount }} {{ trigger.body.currency }}.',
      },
    },
  ],
  sample: {
    id: 'pay_1001',
    status: 'paid',
    amount: 250,
    currency: 'EUR',
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
  },
});
