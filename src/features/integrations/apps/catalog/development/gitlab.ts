import { defineApp } from '../../app.js';

/**
 * GitLab.com only: the host of a self-managed GitLab has no fixed end. Access tokens live for 2 hours. A renewal ends
 * both old tokens. `eventsSecret` is the signing token of a webhook.
 */
export const gitlab = defineApp({
  type: 'gitlab',
  name: 'GitLab',
  documentationUrl: 'https://docs.gitlab.com/api/oauth2/',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://gitlab.com/oauth/authorize',
    tokenUrl: 'https://gitlab.com/oauth/token',
    revocationUrl: 'https://gitlab.com/oauth/revoke',
    scopes: ['read_user', 'api'],
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://gitlab.com/api/v4',
  identity: { url: 'https://gitlab.com/api/v4/user', id: 'id', name: 'username' },
  events: { push: {}, tag_push: {}, issue: {}, note: {}, merge_request: {}, pipeline: {}, release: {} },
  // Signed with the signing token of a webhook. The older secret token is sent unchanged in X-Gitlab-Token and signs
  // nothing.
  eventSource: {
    jsonPath: 'object_kind',
    signature: { scheme: 'standard_webhooks' },
    delivery: { header: 'Idempotency-Key' },
  },
});
