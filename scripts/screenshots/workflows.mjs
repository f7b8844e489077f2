// The workflows of the demo account. `crm` and `desk` are ids of integrations.
const app = (name, integration, method, path, body) => ({
  name,
  kind: 'APP_REQUEST',
  config: { integration_id: integration, method, path, ...(body && { body }) },
});

export const workflows = ({ crm, desk }) => [
  {
    name: 'Large orders to the CRM',
    description: 'Each order over 100 becomes a contact in the CRM, and sales gets a mail.',
    trigger: { type: 'WEBHOOK' },
    actions: [
      {
        name: 'large',
        kind: 'CONDITION',
        config: { path: 'trigger.body.order.total', operator: 'greater_than', value: 100 },
      },
      app('contact', crm, 'POST', '/api/contacts', {
        name: '{{ trigger.body.buyer.name }}',
        email: '{{ trigger.body.buyer.email }}',
        note: 'Order {{ trigger.body.order.id }}',
      }),
      {
        name: 'tell',
        kind: 'SEND_EMAIL',
        config: {
          to: 'sales@acme.example',
          subject: 'Order {{ trigger.body.order.id }} over 100',
          text: '{{ steps.contact.body.name }} is in the CRM as {{ steps.contact.body.id }}.',
        },
      },
    ],
    inputs: [
      { order: { id: 4711, total: 250 }, buyer: { name: 'Charles Babbage', email: 'charles@engines.example' } },
      { order: { id: 4712, total: 1890 }, buyer: { name: 'Katherine Johnson', email: 'kj@orbits.example' } },
      { order: { id: 4713, total: 40 }, buyer: { name: 'Alan Turing', email: 'alan@machines.example' } },
      { order: { id: 4714, total: 320 } },
    ],
    perDay: 210,
  },
  {
    name: 'Nightly contact sync',
    description: 'Reads all contacts of the CRM, every night.',
    trigger: { type: 'SCHEDULE', config: { cron: '30 2 * * *', timezone: 'Europe/Zurich' } },
    actions: [app('contacts', crm, 'GET', '/api/contacts')],
    inputs: [null],
    perDay: 1,
  },
  {
    name: 'Welcome new customers',
    description: 'A mail, and a ticket in the support desk.',
    trigger: { type: 'APP_EVENT', config: { integration_id: desk, event: 'contact.created' } },
    actions: [
      {
        name: 'welcome',
        kind: 'SEND_EMAIL',
        config: {
          to: '{{ trigger.body.email }}',
          subject: 'Welcome',
          text: 'Good to have you, {{ trigger.body.name }}.',
        },
      },
      app('ticket', desk, 'POST', '/api/contacts', { name: '{{ trigger.body.name }}' }),
    ],
    inputs: [{ name: 'Grace Hopper', email: 'grace@navy.example' }],
    perDay: 36,
  },
  {
    name: 'Invoice reminders',
    description: 'Every weekday morning: looks for open invoices.',
    trigger: { type: 'SCHEDULE', config: { cron: '0 8 * * 1-5', timezone: 'Europe/Zurich' } },
    actions: [app('open invoices', crm, 'GET', '/api/invoices?status=open')],
    inputs: [null],
    perDay: 1,
  },
  {
    name: 'Refund approvals',
    description: 'Waits for an approval; paused until the new rules are in force.',
    trigger: { type: 'WEBHOOK' },
    actions: [{ name: 'think it over', kind: 'DELAY', config: { seconds: 3600 } }],
    inputs: [],
    status: 'PAUSED',
    perDay: 0,
  },
  { name: 'Weekly report', description: 'Being written.', actions: [], inputs: [], status: 'DRAFT', perDay: 0 },
];
