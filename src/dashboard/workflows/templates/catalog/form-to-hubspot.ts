import { type TemplateFor } from '../template.js';

/** A submitted form becomes a contact. */
export const formToHubspot: TemplateFor = () => ({
  name: 'Form to HubSpot contact',
  description: 'When a form with an email address is submitted, HubSpot gets a new contact.',
  needs: { hubspot: 'HubSpot' },
  trigger: { type: 'WEBHOOK' },
  actions: [
    { name: 'has email', kind: 'CONDITION', config: { path: 'trigger.body.email', operator: 'contains', value: '@' } },
    {
      name: 'contact',
      kind: 'APP_REQUEST',
      config: {
        integration_id: 'hubspot',
        method: 'POST',
        path: '/crm/v3/objects/contacts',
        body: {
          properties: {
            email: '{{ trigger.body.email }}',
            firstname: '{{ trigger.body.first_name }}',
            lastname: '{{ trigger.body.last_name }}',
          },
        },
      },
    },
  ],
  sample: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
});
