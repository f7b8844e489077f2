import { defineApp } from '../app.js';

/** Tokens are valid until the app is uninstalled. */
export const monday = defineApp({
  type: 'monday',
  name: 'monday.com',
  documentationUrl: 'https://developer.monday.com/apps/docs/oauth',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://auth.monday.com/oauth2/authorize',
    tokenUrl: 'https://auth.monday.com/oauth2/token',
    scopes: ['me:read', 'boards:read', 'boards:write', 'workspaces:read', 'updates:read', 'updates:write'],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  // All of monday's API is GraphQL by POST, so that no GET can tell whose token it is.
  apiBaseUrl: 'https://api.monday.com/v2',
});
