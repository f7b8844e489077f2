import { defineApp } from '../../app.js';

/**
 * Personal access tokens. OAuth is not supported, because Figma renews tokens at another URL than it exchanges codes.
 */
export const figma = defineApp({
  type: 'figma',
  name: 'Figma',
  documentationUrl: 'https://developers.figma.com/docs/rest-api/authentication/',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'X-Figma-Token' },
    verify: { method: 'GET', url: 'https://api.figma.com/v1/me', ok: [200] },
  },
  apiBaseUrl: 'https://api.figma.com',
  identity: { url: 'https://api.figma.com/v1/me', id: 'id', name: 'email' },
  events: { FILE_UPDATE: {}, FILE_DELETE: {}, FILE_VERSION_UPDATE: {}, FILE_COMMENT: {}, LIBRARY_PUBLISH: {} },
  // Figma does not sign events: each body contains the passcode of the webhook.
  eventSource: { jsonPath: 'event_type', signature: { scheme: 'figma' } },
});
