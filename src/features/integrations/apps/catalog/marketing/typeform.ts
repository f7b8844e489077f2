import { defineApp } from '../../app.js';

/** Accounts at typeform.com. Those at typeform.eu have an OAuth server of their own, which needs another client. */
export const typeform = defineApp({
  type: 'typeform',
  name: 'Typeform',
  documentationUrl: 'https://www.typeform.com/developers/get-started/applications/',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://api.typeform.com/oauth/authorize',
    tokenUrl: 'https://api.typeform.com/oauth/token',
    // Without offline Typeform issues no refresh token.
    scopes: ['accounts:read', 'forms:read', 'responses:read', 'webhooks:write', 'offline'],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://{region}.typeform.com',
  parameters: {
    region: {
      description: 'The data center of your account',
      choices: { us: 'api', eu: 'api.eu' },
      default: 'us',
    },
  },
  identity: { url: 'https://{region}.typeform.com/me', id: 'email', name: 'alias' },
  events: { form_response: {}, form_response_partial: {} },
  eventSource: {
    jsonPath: 'event_type',
    signature: { header: 'Typeform-Signature', algorithm: 'sha256', encoding: 'base64', prefix: 'sha256=' },
    delivery: { jsonPath: 'event_id' },
  },
});
