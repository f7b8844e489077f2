import { defineApp } from '../app.js';

/** Scopes are chosen with the app, `user:read:user` among them, without which nobody can be named. A refresh token works once. */
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
