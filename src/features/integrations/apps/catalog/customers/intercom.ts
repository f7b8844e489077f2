import { defineApp } from '../../app.js';

/** The account is a workspace. Tokens do not expire; permissions are chosen in the Developer Hub. */
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
  apiBaseUrl: 'https://{region}.intercom.io',
  parameters: {
    region: {
      description:
        'The region of your workspace: eu or au if you sign in at app.eu.intercom.com or app.au.intercom.com',
      choices: { us: 'api', eu: 'api.eu', au: 'api.au' },
      default: 'us',
    },
  },
  identity: { url: 'https://{region}.intercom.io/me', id: 'app.id_code', name: 'app.name' },
});
