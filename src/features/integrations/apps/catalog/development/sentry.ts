import { defineApp } from '../../app.js';

/** Auth tokens. They must be allowed to read organizations; the account is the first organization. */
export const sentry = defineApp({
  type: 'sentry',
  name: 'Sentry',
  documentationUrl: 'https://docs.sentry.io/api/auth/',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://sentry.io/api/0/organizations/', ok: [200] },
  },
  apiBaseUrl: 'https://sentry.io/api/0',
  identity: { url: 'https://sentry.io/api/0/organizations/', id: '0.id', name: '0.name' },
});
