import { defineApp } from '../../app.js';

/**
 * The OAuth 2.1 flow, to which the app's version must be switched. Access tokens expire, and each renewal rotates the
 * refresh token.
 */
export const monday = defineApp({
  type: 'monday',
  name: 'monday.com',
  documentationUrl: 'https://developer.monday.com/apps/docs/migrating-to-the-new-oauth-flow',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://auth.monday.com/oauth2/authorize',
    tokenUrl: 'https://auth.monday.com/oauth_ms/oauth/token',
    revocationUrl: 'https://auth.monday.com/oauth_ms/oauth/revoke',
    // monday's documentation does not say that revoking a token spares the user's other tokens.
    revocationEndsGrant: true,
    scopes: ['me:read', 'boards:read', 'boards:write', 'workspaces:read', 'updates:read', 'updates:write'],
    tokenEndpointAuthMethod: 'client_secret_post',
    // Without this, an account that has not installed the app is refused.
    authorizationParams: { force_install_if_needed: 'true' },
  },
  // No identity: monday's API is GraphQL by POST only, and identity requests are GETs.
  apiBaseUrl: 'https://api.monday.com/v2',
});
