import { defineApp } from '../app.js';

/** The client must be known in the account that is connected; a global one is known in all. Access tokens end, and a refresh token works once. */
export const zendesk = defineApp({
  type: 'zendesk',
  name: 'Zendesk',
  documentationUrl: 'https://developer.zendesk.com/documentation/api-basics/authentication/api-tokens-to-oauth/',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://{subdomain}.zendesk.com/oauth/authorizations/new',
    tokenUrl: 'https://{subdomain}.zendesk.com/oauth/tokens',
    scopes: ['read', 'write'],
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://{subdomain}.zendesk.com/api/v2',
  parameters: {
    subdomain: {
      description: 'Your Zendesk subdomain: acme of acme.zendesk.com',
      pattern: '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?',
    },
  },
  identity: { url: 'https://{subdomain}.zendesk.com/api/v2/users/me', id: 'user.id', name: 'user.email' },
});
