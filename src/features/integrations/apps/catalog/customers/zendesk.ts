import { defineApp } from '../../app.js';

/**
 * The client must be registered in the connected account; a global client works in all. Access tokens expire, and a
 * refresh token works once.
 */
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
