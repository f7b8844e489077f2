import { defineApp } from '../app.js';

/** Personal access tokens: Figma's OAuth renews at another address than it exchanges codes at. */
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
  // Figma signs nothing: the passcode of a webhook stands in each body.
  eventSource: { jsonPath: 'event_type', signature: { scheme: 'figma' } },
});
