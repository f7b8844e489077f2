import { defineApp } from '../../app.js';

/**
 * A connection belongs to a user in one company, and the API is at the host of that company, which each token response
 * names. Access tokens live for an hour. Scopes are chosen when the app is registered.
 */
export const pipedrive = defineApp({
  type: 'pipedrive',
  name: 'Pipedrive',
  documentationUrl: 'https://pipedrive.readme.io/docs/marketplace-oauth-authorization',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://oauth.pipedrive.com/oauth/authorize',
    tokenUrl: 'https://oauth.pipedrive.com/oauth/token',
    revocationUrl: 'https://oauth.pipedrive.com/oauth/revoke',
    scopes: [],
    pkce: false,
    captures: { api_domain: { path: 'api_domain', pattern: 'https://[a-z0-9-]+\\.pipedrive\\.com' } },
  },
  apiBaseUrl: '{api_domain}/api',
  identity: { url: '{api_domain}/api/v1/users/me', id: 'data.id', name: 'data.name' },
});
