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
    verify: { method: 'GET', url: 'https://{org}.okta.com/api/v1/users/me', ok: [200] },
  },
  apiBaseUrl: 'https://{org}.okta.com/api/v1',
  parameters: {
    org: {
      description: 'Your Okta organization: acme of acme.okta.com',
      pattern: '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?',
    },
  },
  identity: { url: 'https://{org}.okta.com/api/v1/users/me', id: 'id', name: 'profile.login' },
});
