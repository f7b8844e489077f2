import { defineApp } from '../../app.js';

/**
 * Access tokens live for 2 hours; a refresh token works once. One signing key of the OAuth app signs all its webhooks.
 */
export const calendly = defineApp({
  type: 'calendly',
  name: 'Calendly',
  documentationUrl: 'https://developer.calendly.com/api-docs/calendly-o-auth/o-auth/get-oauth-authorize',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://auth.calendly.com/oauth/authorize',
    tokenUrl: 'https://auth.calendly.com/oauth/token',
    revocationUrl: 'https://auth.calendly.com/oauth/revoke',
    revocationAuthMethod: 'client_secret_post',
    // Scopes are chosen when the app is registered.
    scopes: [],
  },
  apiBaseUrl: 'https://api.calendly.com',
  identity: { url: 'https://api.calendly.com/users/me', id: 'resource.uri', name: 'resource.name' },
  events: { 'invitee.created': {}, 'invitee.canceled': {}, 'routing_form_submission.created': {} },
  eventSource: { jsonPath: 'event', signature: { scheme: 'calendly' }, secretOf: 'application' },
});
