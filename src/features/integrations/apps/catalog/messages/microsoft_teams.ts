import { defineApp } from '../../app.js';

/**
 * Teams of a work or school account, by Microsoft Graph. Subscriptions to teams and channels are created through its
 * API, with `eventsSecret` as `clientState`. Those to messages need ChannelMessage.Read.All, which an administrator
 * must allow.
 */
export const microsoftTeams = defineApp({
  type: 'microsoft_teams',
  name: 'Microsoft Teams',
  documentationUrl: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
    // Without offline_access Microsoft issues no refresh token.
    scopes: ['offline_access', 'User.Read', 'Team.ReadBasic.All', 'Channel.ReadBasic.All', 'ChannelMessage.Send'],
    tokenEndpointAuthMethod: 'client_secret_post',
    authorizationParams: { response_mode: 'query' },
  },
  apiBaseUrl: 'https://graph.microsoft.com/v1.0',
  parameters: {
    tenant: {
      description: 'Your directory: its id, one of its domains, or `organizations` for any work or school account',
      pattern: '[A-Za-z0-9][A-Za-z0-9.-]*',
    },
  },
  identity: { url: 'https://graph.microsoft.com/v1.0/me', id: 'id', name: 'userPrincipalName' },
  events: { created: {}, updated: {}, deleted: {} },
  // Graph does not sign events: each notification contains the clientState of its subscription. The notifications of
  // one post fire separately.
  eventSource: { jsonPath: 'value.0.changeType', signature: null, handshake: 'microsoft_graph' },
});
