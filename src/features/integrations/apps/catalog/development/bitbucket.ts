import { defineApp } from '../../app.js';

/**
 * Bitbucket Cloud. Access tokens live for 2 hours. The OAuth consumer defines the permissions; scopes can only narrow
 * them. Issues were removed on 20 August 2026.
 */
export const bitbucket = defineApp({
  type: 'bitbucket',
  name: 'Bitbucket',
  documentationUrl: 'https://developer.atlassian.com/cloud/bitbucket/oauth-2/',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://bitbucket.org/site/oauth2/authorize',
    tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
    scopes: ['account', 'repository', 'pullrequest', 'webhook'],
    pkce: false,
  },
  apiBaseUrl: 'https://api.bitbucket.org/2.0',
  identity: { url: 'https://api.bitbucket.org/2.0/user', id: 'uuid', name: 'display_name' },
  events: {
    'repo:push': {},
    'pullrequest:created': {},
    'pullrequest:updated': {},
    'pullrequest:fulfilled': {},
    'pullrequest:comment_created': {},
  },
  eventSource: {
    header: 'X-Event-Key',
    signature: { header: 'X-Hub-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
    delivery: { header: 'X-Request-UUID' },
  },
});
