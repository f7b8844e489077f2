import { defineApp } from '../../app.js';

/**
 * OAuth apps. Tokens do not expire. The token endpoint returns errors with status 200, and scopes separated by commas.
 */
export const github = defineApp({
  type: 'github',
  name: 'GitHub',
  documentationUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    scopes: ['read:user', 'repo'],
    tokenEndpointAuthMethod: 'client_secret_post',
    invalidGrantErrors: ['bad_refresh_token'],
  },
  apiBaseUrl: 'https://api.github.com',
  identity: { url: 'https://api.github.com/user', id: 'id', name: 'login' },
  events: { push: {}, pull_request: {}, issues: {}, issue_comment: {}, release: {}, workflow_run: {} },
  eventSource: { header: 'X-GitHub-Event', signature: { scheme: 'github' }, delivery: { header: 'X-GitHub-Delivery' } },
});
