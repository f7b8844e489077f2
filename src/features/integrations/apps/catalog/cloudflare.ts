import { defineApp } from '../app.js';

/** API tokens of a user; tokens that an account owns are verified at an address of that account, and refused here. */
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
  // Names the token, which is all that a token is always allowed to know.
  identity: { url: 'https://api.cloudflare.com/client/v4/user/tokens/verify', id: 'result.id', name: 'result.id' },
});
