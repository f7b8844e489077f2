import { defineApp } from '../../app.js';

/** Requests no scopes: Box's developer console defines the permissions of the tokens. */
export const box = defineApp({
  type: 'box',
  name: 'Box',
  documentationUrl: 'https://developer.box.com/guides/authentication/oauth2/without-sdk/',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://account.box.com/api/oauth2/authorize',
    tokenUrl: 'https://api.box.com/oauth2/token',
    revocationUrl: 'https://api.box.com/oauth2/revoke',
    scopes: [],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.box.com/2.0',
  identity: { url: 'https://api.box.com/2.0/users/me', id: 'id', name: 'login' },
});
