import { defineApp } from '../../app.js';

/** Access tokens live for 60 days. Only approved partners get refresh tokens. */
export const linkedin = defineApp({
  type: 'linkedin',
  name: 'LinkedIn',
  documentationUrl: 'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    scopes: ['openid', 'profile', 'email', 'w_member_social'],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.linkedin.com',
  identity: { url: 'https://api.linkedin.com/v2/userinfo', id: 'sub', name: 'name' },
});
