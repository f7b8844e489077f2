import { defineApp } from '../../app.js';

/** QuickBooks Online. Access tokens live for an hour, refresh tokens for 100 days from their last use. */
export const quickbooks = defineApp({
  type: 'quickbooks',
  name: 'QuickBooks Online',
  documentationUrl:
    'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://appcenter.intuit.com/connect/oauth2',
    tokenUrl: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    // The revocation endpoint expects JSON, unlike RFC 7009.
    scopes: ['com.intuit.quickbooks.accounting', 'openid', 'email'],
    pkce: false,
  },
  apiBaseUrl: 'https://{environment}quickbooks.api.intuit.com/v3/company/{company_id}',
  parameters: {
    company_id: { description: 'The company (realm) id, shown under Account and settings', pattern: '[0-9]{1,20}' },
    environment: {
      description: 'Whether the company is real or a sandbox company of a developer',
      choices: { production: '', sandbox: 'sandbox-' },
      default: 'production',
    },
  },
  identity: {
    url: 'https://{environment}accounts.platform.intuit.com/v1/openid_connect/userinfo',
    id: 'sub',
    name: 'email',
  },
});
