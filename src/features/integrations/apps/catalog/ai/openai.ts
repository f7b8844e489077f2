import { defineApp } from '../../app.js';

/** API keys of a project. A restricted key must be allowed to list models. */
export const openai = defineApp({
  type: 'openai',
  name: 'OpenAI',
  documentationUrl: 'https://developers.openai.com/api/reference/resources/models/methods/list/',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.openai.com/v1/models', ok: [200] },
  },
  apiBaseUrl: 'https://api.openai.com/v1',
});
