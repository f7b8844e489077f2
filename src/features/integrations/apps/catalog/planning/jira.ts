import { defineApp } from '../../app.js';

/** Jira Cloud (3LO). A refresh token works once. */
export const jira = defineApp({
  type: 'jira',
  name: 'Jira',
  documentationUrl: 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    // read:me is for the User Identity API. Without offline_access there is no refresh token.
    scopes: ['read:me', 'read:jira-user', 'read:jira-work', 'write:jira-work', 'offline_access'],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
    authorizationParams: { audience: 'api.atlassian.com', prompt: 'consent' },
  },
  apiBaseUrl: 'https://api.atlassian.com/ex/jira/{cloud_id}',
  parameters: {
    cloud_id: {
      description: 'The id of your site, shown at https://your-site.atlassian.net/_edge/tenant_info',
      pattern: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    },
  },
  identity: { url: 'https://api.atlassian.com/me', id: 'account_id', name: 'email' },
  events: { 'jira:issue_created': {}, 'jira:issue_updated': {}, 'jira:issue_deleted': {}, comment_created: {} },
  eventSource: {
    jsonPath: 'webhookEvent',
    signature: { header: 'X-Hub-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
    delivery: { header: 'X-Atlassian-Webhook-Identifier' },
  },
});
