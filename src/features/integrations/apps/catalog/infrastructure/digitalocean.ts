import { defineApp } from '../../app.js';

/** The account is the team that the user chooses while granting. */
export const digitalocean = defineApp({
  type: 'digitalocean',
  name: 'DigitalOcean',
  documentationUrl: 'https://docs.digitalocean.com/reference/api/oauth/',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://cloud.digitalocean.com/v1/oauth/authorize',
    tokenUrl: 'https://cloud.digitalocean.com/v1/oauth/token',
    // DigitalOcean's revocation expects the token as the credential of the request, unlike RFC 7009.
    scopes: ['read', 'write'],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.digitalocean.com/v2',
  identity: { url: 'https://api.digitalocean.com/v2/account', id: 'account.uuid', name: 'account.email' },
});
