import { defineApp } from '../app.js';

/** Bot tokens, which expire only where the operator switched token rotation on; errors come with status 200 and `ok: false`. The app's one Request URL is `BASE_URL/events/slack`. */
export const slack = defineApp({
  type: 'slack',
  name: 'Slack',
  documentationUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    // The last three are for the events message, app_mention and reaction_added.
    scopes: ['channels:read', 'chat:write', 'users:read', 'channels:history', 'app_mentions:read', 'reactions:read'],
    scopeSeparator: ',',
    // Slack takes PKCE for a public client, which may not use a secret nor ask for bot scopes.
    pkce: false,
    invalidGrantErrors: ['invalid_refresh_token'],
  },
  apiBaseUrl: 'https://slack.com/api',
  identity: { url: 'https://slack.com/api/auth.test', id: 'team_id', name: 'team' },
  events: { message: {}, app_mention: {}, reaction_added: {}, channel_created: {}, team_join: {} },
  eventSource: {
    jsonPath: 'event.type',
    signature: { scheme: 'slack' },
    secretOf: 'application',
    handshake: 'slack',
    delivery: { jsonPath: 'event_id' },
    // The workspace where it happened, and the one by whose installation the app sees it: they differ in shared channels.
    accountPaths: ['team_id', 'authorizations.0.team_id'],
  },
});
