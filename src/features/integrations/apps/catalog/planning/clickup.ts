import { defineApp } from '../../app.js';

/** ClickUp has no scopes: users choose the workspaces to grant access to. Tokens do not expire. */
export const clickup = defineApp({
  type: 'clickup',
  name: 'ClickUp',
  documentationUrl: 'https://developer.clickup.com/docs/authentication',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://app.clickup.com/api',
    tokenUrl: 'https://api.clickup.com/api/v2/oauth/token',
    scopes: [],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://api.clickup.com/api/v2',
  identity: { url: 'https://api.clickup.com/api/v2/user', id: 'user.id', name: 'user.username' },
  events: { taskCreated: {}, taskUpdated: {}, taskDeleted: {}, taskStatusUpdated: {}, taskCommentPosted: {} },
  eventSource: {
    jsonPath: 'event',
    signature: { header: 'X-Signature', algorithm: 'sha256', encoding: 'hex' },
    secretOf: 'endpoint',
  },
});
