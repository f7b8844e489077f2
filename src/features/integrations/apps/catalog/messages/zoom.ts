import { defineApp } from '../../app.js';

/**
 * Scopes are chosen when the app is registered. They must include `user:read:user`, which the identity request needs. A
 * refresh token works once.
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
  },
  apiBaseUrl: 'https://api.zoom.us/v2',
  identity: { url: 'https://api.zoom.us/v2/users/me', id: 'id', name: 'email' },
});
