import { defineApp } from '../app.js';

/** Scopes are asked with commas; access tokens live for a day and come with a refresh token. */
export const linear = defineApp({
  type: 'linear',
  name: 'Linear',
  documentationUrl: 'https://linear.app/developers/oauth-2-0-authentication',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    revocationUrl: 'https://api.linear.app/oauth/revoke',
    scopes: ['read', 'write'],
    scopeSeparator: ',',
    tokenEndpointAuthMethod: 'client_secret_post',
    // Else someone who has granted before is not asked, and can't choose another workspace.
    authorizationParams: { prompt: 'consent' },
  },
  // All of Linear's API is GraphQL by POST, so that no GET can tell whose token it is.
  apiBaseUrl: 'https://api.linear.app',
  events: { Issue: {}, Comment: {}, Project: {}, Cycle: {}, IssueLabel: {} },
  eventSource: {
    header: 'Linear-Event',
    signature: { header: 'Linear-Signature', algorithm: 'sha256', encoding: 'hex' },
    secretOf: 'endpoint',
    delivery: { header: 'Linear-Delivery' },
  },
});
