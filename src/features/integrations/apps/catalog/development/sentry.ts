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
    verify: { method: 'GET', url: 'https://{region}.sentry.io/api/0/organizations/', ok: [200] },
  },
  apiBaseUrl: 'https://{region}.sentry.io/api/0',
  parameters: {
    region: {
      description: 'The data storage location of your organization',
      choices: { us: 'us', eu: 'de' },
      default: 'us',
    },
  },
  identity: { url: 'https://{region}.sentry.io/api/0/organizations/', id: '0.id', name: '0.name' },
});
