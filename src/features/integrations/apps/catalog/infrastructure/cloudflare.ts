import { defineApp } from '../../app.js';

/** API tokens of a user. Tokens that an account owns are refused: they are verified at a URL of that account. */
export const cloudflare = defineApp({
  type: 'cloudflare',
  name: 'Cloudflare',
  documentationUrl: 'https://developers.cloudflare.com/api/resources/user/subresources/tokens/methods/verify/',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.cloudflare.com/client/v4/user/tokens/verify', ok: [200] },
  },
  apiBaseUrl: 'https://api.cloudflare.com/client/v4',
  // The id of the token: the only identity that every token may read.
  identity: { url: 'https://api.cloudflare.com/client/v4/user/tokens/verify', id: 'result.id', name: 'result.id' },
});
