import { defineApp } from '../../app.js';

/** Personal access tokens. */
export const netlify = defineApp({
  type: 'netlify',
  name: 'Netlify',
  documentationUrl: 'https://open-api.netlify.com/',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.netlify.com/api/v1/user', ok: [200] },
  },
  apiBaseUrl: 'https://api.netlify.com/api/v1',
  identity: { url: 'https://api.netlify.com/api/v1/user', id: 'id', name: 'email' },
});
