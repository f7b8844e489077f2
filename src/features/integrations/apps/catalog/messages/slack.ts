import { defineApp } from '../../app.js';

/**
 * Bot tokens. They expire only if the operator has switched token rotation on. Errors have status 200 and `ok: false`.
 * The app's Request URL is `BASE_URL/events/slack`.
 */
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
    // With PKCE, Slack treats the client as public: it may not use a secret or request bot scopes.
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
    // The workspace of the event, and the workspace whose installation lets the app see it. They differ in shared
    // channels.
    accountPaths: ['team_id', 'authorizations.0.team_id'],
  },
});
