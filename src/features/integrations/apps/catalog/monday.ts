import { defineApp } from '../app.js';

/** The OAuth 2.1 flow, which the app's version must be switched to: access tokens end, and each renewal brings a new refresh token. */
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
    // Not said to spare the other tokens of the user.
    revocationEndsGrant: true,
    scopes: ['me:read', 'boards:read', 'boards:write', 'workspaces:read', 'updates:read', 'updates:write'],
    tokenEndpointAuthMethod: 'client_secret_post',
    // Else an account that has not installed the app is refused.
    authorizationParams: { force_install_if_needed: 'true' },
  },
  // All of monday's API is GraphQL by POST, so that no GET can tell whose token it is.
  apiBaseUrl: 'https://api.monday.com/v2',
});
