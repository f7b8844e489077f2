import { defineApp } from '../../app.js';

/** Access tokens live for 30 minutes. The account is a HubSpot portal. */
export const hubspot = defineApp({
  type: 'hubspot',
  name: 'HubSpot',
  documentationUrl: 'https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: 'https://api.hubapi.com/oauth/v3/token',
    scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write'],
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.hubapi.com',
  // The response has no account name, so the number stands for it.
  identity: { url: 'https://api.hubapi.com/account-info/2026-03/details', id: 'portalId', name: 'portalId' },
});
