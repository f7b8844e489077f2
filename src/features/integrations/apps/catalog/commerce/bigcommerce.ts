import { defineApp } from '../../app.js';

/** API tokens of a store. They must be allowed to read the store information. */
export const bigcommerce = defineApp({
  type: 'bigcommerce',
  name: 'BigCommerce',
  documentationUrl: 'https://developer.bigcommerce.com/docs/start/authentication/api-accounts',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'X-Auth-Token' },
    verify: { method: 'GET', url: 'https://api.bigcommerce.com/stores/{store_hash}/v2/store', ok: [200] },
  },
  apiBaseUrl: 'https://api.bigcommerce.com/stores/{store_hash}',
  parameters: {
    store_hash: {
      description: 'The hash of your store: abc123 of store-abc123.mybigcommerce.com',
      pattern: '[a-z0-9]{4,20}',
    },
  },
  identity: { url: 'https://api.bigcommerce.com/stores/{store_hash}/v2/store', id: 'id', name: 'name' },
});
