import { defineApp } from '../../app.js';

/** Accounts of the US data centre. EU accounts have another host. */
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
  apiBaseUrl: 'https://api.typeform.com',
  identity: { url: 'https://api.typeform.com/me', id: 'email', name: 'alias' },
  events: { form_response: {}, form_response_partial: {} },
  eventSource: {
    jsonPath: 'event_type',
    signature: { header: 'Typeform-Signature', algorithm: 'sha256', encoding: 'base64', prefix: 'sha256=' },
    delivery: { jsonPath: 'event_id' },
  },
});
