import { type Template } from './template.js';

/** The sandbox connection of the example. Its only key is public: it opens the sandbox alone. */
export const SANDBOX = {
  type: 'sandbox_api_key',
  label: 'Sandbox',
  credentials: { api_key: 'sandbox_valid_key' },
} as const;

/** A first workflow to try: it needs nothing but the service. Without the sandbox it sends the user an email. */
export function exampleFor({ email, sandbox }: { email: string; sandbox: boolean }): Template {
  return {
    name: 'Example: large order',
    description: sandbox
      ? 'When an order above 100 is posted, the sandbox gets the customer as a contact.'
      : 'When an order above 100 is posted, you get an email. (The sandbox is off on this service.)',
    needs: {},
    trigger: { type: 'WEBHOOK' },
    actions: [
      {
        name: 'large order',
        kind: 'CONDITION',
        config: { path: 'trigger.body.order.total', operator: 'greater_than', value: 100 },
      },
      sandbox ? contact : mailTo(email),
    ],
    sample: {
      order: { id: 'A-1001', total: 250 },
      customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    },
  };
}

const contact: Template['actions'][number] = {
  name: 'contact',
  kind: 'APP_REQUEST',
  config: {
    integration_id: SANDBOX.type,
    method: 'POST',
    path: '/api/contacts',
    body: { name: '{{ trigger.body.customer.name }}', email: '{{ trigger.body.customer.email }}' },
  },
};

function mailTo(email: string): Template['actions'][number] {
  return {
    name: 'email',
    kind: 'SEND_EMAIL',
    config: {
      to: [email],
      subject: 'Order {{ trigger.body.order.id }}',
      text: '{{ trigger.body.customer.name }} ordered for {{ trigger.body.order.total }}.',
    },
  };
}
