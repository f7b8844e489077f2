import { defineApp } from '../../app.js';

/** API keys of users and subusers. */
export const sendgrid = defineApp({
  type: 'sendgrid',
  name: 'SendGrid',
  documentationUrl:
    'https://www.twilio.com/docs/sendgrid/api-reference/api-key-permissions/retrieve-a-list-of-scopes-for-which-this-user-has-access',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    // Returns the scopes of the key itself.
    verify: { method: 'GET', url: 'https://{region}.sendgrid.com/v3/scopes', ok: [200] },
  },
  apiBaseUrl: 'https://{region}.sendgrid.com',
  parameters: {
    region: {
      description: 'The region of the key: eu for a key of an EU regional subuser',
      choices: { global: 'api', eu: 'api.eu' },
      default: 'global',
    },
  },
});
