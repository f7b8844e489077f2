import { defineApp } from '../../app.js';

/**
 * Each token response names the cluster of the user, which is in the European Union for some. Scopes are chosen when
 * the app is registered. They must include `user:read:user`, which the identity request needs. A refresh token works
 * once.
 */
export const zoom = defineApp({
  type: 'zoom',
  name: 'Zoom',
  documentationUrl: 'https://developers.zoom.us/docs/integrations/oauth/',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://zoom.us/oauth/authorize',
    tokenUrl: 'https://zoom.us/oauth/token',
    revocationUrl: 'https://zoom.us/oauth/revoke',
    scopes: [],
    captures: { api_url: { path: 'api_url', pattern: 'https://[a-z0-9]*api\\.zoom\\.us' } },
  },
  apiBaseUrl: '{api_url}/v2',
  identity: { url: '{api_url}/v2/users/me', id: 'id', name: 'email' },
});
