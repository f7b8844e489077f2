import { defineApp } from '../app.js';

/** Bot tokens, which expire only where the operator switched token rotation on; errors come with status 200 and `ok: false`. */
export const slack = defineApp({
  type: 'slack',
  name: 'Slack',
  documentationUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    scopes: ['channels:read', 'chat:write', 'users:read'],
    scopeSeparator: ',',
    // Slack takes PKCE for a public client, which may not use a secret nor ask for bot scopes.
    pkce: false,
    invalidGrantErrors: ['invalid_refresh_token'],
  },
  apiBaseUrl: 'https://slack.com/api',
  identity: { url: 'https://slack.com/api/auth.test', id: 'team_id', name: 'team' },
  events: { message: {}, app_mention: {}, reaction_added: {}, channel_created: {}, team_join: {} },
  // Slack makes the signing secret itself, one for the whole app, so that the integration's can't be the one.
  eventSource: { jsonPath: 'event.type', signature: null, handshake: 'slack', delivery: { jsonPath: 'event_id' } },
});
