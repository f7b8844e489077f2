import { defineApp } from '../../app.js';

/** User access tokens. */
export const huggingFace = defineApp({
  type: 'hugging_face',
  name: 'Hugging Face',
  documentationUrl: 'https://huggingface.co/docs/hub/api',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://huggingface.co/api/whoami-v2', ok: [200] },
  },
  apiBaseUrl: 'https://huggingface.co/api',
  identity: { url: 'https://huggingface.co/api/whoami-v2', id: 'id', name: 'name' },
});
