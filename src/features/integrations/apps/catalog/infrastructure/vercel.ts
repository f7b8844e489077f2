import { defineApp } from '../../app.js';

/** Access tokens of a user. A token of a team is refused, because it names no user. */
export const vercel = defineApp({
  type: 'vercel',
  name: 'Vercel',
  documentationUrl: 'https://vercel.com/docs/rest-api/user/get-the-user',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.vercel.com/v2/user', ok: [200] },
  },
  apiBaseUrl: 'https://api.vercel.com',
  identity: { url: 'https://api.vercel.com/v2/user', id: 'user.id', name: 'user.username' },
});
