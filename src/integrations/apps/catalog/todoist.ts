import { defineApp } from '../app.js';

/** Scopes are asked with commas; tokens do not expire. */
export const todoist = defineApp({
  type: 'todoist',
  name: 'Todoist',
  documentationUrl: 'https://developer.todoist.com/api/v1/#tag/Authorization',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://todoist.com/oauth/authorize',
    tokenUrl: 'https://todoist.com/oauth/access_token',
    scopes: ['data:read_write'],
    scopeSeparator: ',',
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.todoist.com/api/v1',
  identity: { url: 'https://api.todoist.com/api/v1/user', id: 'id', name: 'email' },
});
