import { defineApp } from '../../app.js';

/**
 * Personal, work and school accounts (tenant `common`), by Microsoft Graph. `eventsSecret` is the `clientState` of each
 * subscription.
 */
export const microsoftOutlook = defineApp({
  type: 'microsoft_outlook',
  name: 'Microsoft Outlook',
  documentationUrl: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    // Without offline_access Microsoft issues no refresh token.
    scopes: ['offline_access', 'User.Read', 'Mail.ReadWrite', 'Mail.Send', 'Calendars.ReadWrite'],
    tokenEndpointAuthMethod: 'client_secret_post',
    authorizationParams: { response_mode: 'query' },
  },
  apiBaseUrl: 'https://graph.microsoft.com/v1.0',
  identity: { url: 'https://graph.microsoft.com/v1.0/me', id: 'id', name: 'userPrincipalName' },
  events: { created: {}, updated: {}, deleted: {} },
  // Graph does not sign events: each notification contains the clientState of its subscription. The notifications of
  // one post fire separately.
  eventSource: { jsonPath: 'value.0.changeType', signature: null, handshake: 'microsoft_graph' },
});
