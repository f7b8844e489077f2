import { defineApp } from '../../app.js';

/** The account is a workspace of the US region. Tokens do not expire; permissions are chosen in the Developer Hub. */
export const intercom = defineApp({
  type: 'intercom',
  name: 'Intercom',
  documentationUrl:
    'https://developers.intercom.com/docs/build-an-integration/learn-more/authentication/setting-up-oauth',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://app.intercom.com/oauth',
    tokenUrl: 'https://api.intercom.io/auth/eagle/token',
    scopes: [],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.intercom.io',
  identity: { url: 'https://api.intercom.io/me', id: 'app.id_code', name: 'app.name' },
});
