import { defineApp } from '../../app.js';

/** Private API keys. They must be allowed to read accounts. */
export const klaviyo = defineApp({
  type: 'klaviyo',
  name: 'Klaviyo',
  documentationUrl: 'https://developers.klaviyo.com/en/docs/authenticate',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Klaviyo-API-Key ' },
    verify: { method: 'GET', url: 'https://a.klaviyo.com/api/accounts', ok: [200] },
  },
  apiBaseUrl: 'https://a.klaviyo.com/api',
  // Each request names a revision of the API. Klaviyo supports a revision for two years.
  apiHeaders: { revision: '2026-07-15' },
  identity: {
    url: 'https://a.klaviyo.com/api/accounts',
    id: 'data.0.id',
    name: 'data.0.attributes.contact_information.organization_name',
  },
});
