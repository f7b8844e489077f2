import { defineApp } from '../../app.js';

/** API keys of a workspace. Every request names a version of the API. */
export const anthropic = defineApp({
  type: 'anthropic',
  name: 'Anthropic',
  documentationUrl: 'https://platform.claude.com/docs/en/api/models/list',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'x-api-key' },
    verify: { method: 'GET', url: 'https://api.anthropic.com/v1/models', ok: [200] },
  },
  apiBaseUrl: 'https://api.anthropic.com',
  apiHeaders: { 'anthropic-version': '2023-06-01' },
});
