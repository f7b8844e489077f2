import { defineApp } from '../../app.js';

/** Scopes are separated by commas. Access tokens live for a day and come with a refresh token. */
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
    // Without this, a user who has granted access before is not asked again and can't choose another workspace.
    authorizationParams: { prompt: 'consent' },
  },
  // No identity: Linear's API is GraphQL by POST only, and identity requests are GETs.
  apiBaseUrl: 'https://api.linear.app',
  events: { Issue: {}, Comment: {}, Project: {}, Cycle: {}, IssueLabel: {} },
  eventSource: {
    header: 'Linear-Event',
    signature: { header: 'Linear-Signature', algorithm: 'sha256', encoding: 'hex' },
    secretOf: 'endpoint',
    delivery: { header: 'Linear-Delivery' },
  },
});
