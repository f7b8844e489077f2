import { defineApp } from '../../app.js';

/**
 * Scopes are separated by commas. Tokens of new apps expire and have a refresh token that works once; those of older
 * apps do not expire.
 */
export const todoist = defineApp({
  type: 'todoist',
  name: 'Todoist',
  documentationUrl: 'https://developer.todoist.com/api/v1/#tag/Authorization',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://app.todoist.com/oauth/authorize',
    tokenUrl: 'https://api.todoist.com/oauth/access_token',
    revocationUrl: 'https://api.todoist.com/api/v1/revoke',
    revocationAuthMethod: 'client_secret_basic',
    scopes: ['data:read_write'],
    scopeSeparator: ',',
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.todoist.com/api/v1',
  identity: { url: 'https://api.todoist.com/api/v1/user', id: 'id', name: 'email' },
});
