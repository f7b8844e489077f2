import { defineApp } from '../../app.js';

/**
 * The account is the first organisation that the user grants access to. Requests name it in `Xero-Tenant-Id`. A refresh
 * token works once.
 */
export const xero = defineApp({
  type: 'xero',
  name: 'Xero',
  documentationUrl: 'https://developer.xero.com/documentation/guides/oauth2/auth-flow/',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://login.xero.com/identity/connect/authorize',
    tokenUrl: 'https://identity.xero.com/connect/token',
    revocationUrl: 'https://identity.xero.com/connect/revocation',
    // Revoking a refresh token removes all connections of the user to the app.
    revocationEndsGrant: true,
    // The last three replace accounting.transactions, which apps created since 2 March 2026 may not request.
    scopes: [
      'offline_access',
      'accounting.settings',
      'accounting.contacts',
      'accounting.invoices',
      'accounting.payments',
      'accounting.banktransactions',
    ],
    pkce: false,
  },
  apiBaseUrl: 'https://api.xero.com',
  identity: { url: 'https://api.xero.com/connections', id: '0.tenantId', name: '0.tenantName' },
});
