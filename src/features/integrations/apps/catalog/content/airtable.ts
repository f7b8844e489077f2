import { defineApp } from '../../app.js';

/** Personal access tokens. */
export const airtable = defineApp({
  type: 'airtable',
  name: 'Airtable',
  documentationUrl: 'https://airtable.com/developers/web/api/get-user-id-scopes',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.airtable.com/v0/meta/whoami', ok: [200] },
  },
  apiBaseUrl: 'https://api.airtable.com/v0',
  // Only tokens with the scope user.email:read get the email address, so the id stands for the name.
  identity: { url: 'https://api.airtable.com/v0/meta/whoami', id: 'id', name: 'id' },
});
