import { defineApp } from '../../app.js';

/** API tokens. They have the permissions of the administrator who created them. */
export const okta = defineApp({
  type: 'okta',
  name: 'Okta',
  documentationUrl: 'https://developer.okta.com/docs/reference/core-okta-api/',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'SSWS ' },
    verify: { method: 'GET', url: 'https://{org}.{domain}.com/api/v1/users/me', ok: [200] },
  },
  apiBaseUrl: 'https://{org}.{domain}.com/api/v1',
  parameters: {
    org: {
      description: 'Your Okta organization: acme of acme.okta.com',
      pattern: '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?',
    },
    domain: {
      description: 'The domain after it: okta of acme.okta.com',
      choices: { okta: 'okta', oktapreview: 'oktapreview', okta_emea: 'okta-emea' },
      default: 'okta',
    },
  },
  identity: { url: 'https://{org}.{domain}.com/api/v1/users/me', id: 'id', name: 'profile.login' },
});
