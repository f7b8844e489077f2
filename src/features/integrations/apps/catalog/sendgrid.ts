import { defineApp } from '../app.js';

/** Keys of global users and subusers; the EU region has another host. */
export const sendgrid = defineApp({
  type: 'sendgrid',
  name: 'SendGrid',
  documentationUrl:
    'https://www.twilio.com/docs/sendgrid/api-reference/api-key-permissions/retrieve-a-list-of-scopes-for-which-this-user-has-access',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    // Answers with the scopes of the very key that asks.
    verify: { method: 'GET', url: 'https://api.sendgrid.com/v3/scopes', ok: [200] },
  },
  apiBaseUrl: 'https://api.sendgrid.com',
});
