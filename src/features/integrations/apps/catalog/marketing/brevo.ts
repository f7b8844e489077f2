import { defineApp } from '../../app.js';

/** API keys of version 3. */
export const brevo = defineApp({
  type: 'brevo',
  name: 'Brevo',
  documentationUrl: 'https://developers.brevo.com/reference/get-account',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'api-key' },
    verify: { method: 'GET', url: 'https://api.brevo.com/v3/account', ok: [200] },
  },
  apiBaseUrl: 'https://api.brevo.com/v3',
  identity: { url: 'https://api.brevo.com/v3/account', id: 'email', name: 'companyName' },
});
