import { defineApp } from '../../app.js';

/**
 * Admin API tokens: those of older custom apps, which do not expire, or those from the client credentials grant of an
 * app of the organization, which expire after 24 hours. Custom apps of the first kind can't be created since 1 January
 * 2026.
 */
export const shopify = defineApp({
  type: 'shopify',
  name: 'Shopify',
  documentationUrl: 'https://shopify.dev/docs/apps/build/authentication-authorization/client-credentials-grant',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'X-Shopify-Access-Token' },
    verify: { method: 'GET', url: 'https://{shop}.myshopify.com/admin/api/2026-10/shop.json', ok: [200] },
  },
  apiBaseUrl: 'https://{shop}.myshopify.com/admin/api/2026-10',
  parameters: {
    shop: {
      description: 'Your shop: acme of acme.myshopify.com',
      pattern: '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?',
    },
  },
  identity: { url: 'https://{shop}.myshopify.com/admin/api/2026-10/shop.json', id: 'shop.id', name: 'shop.name' },
  events: {
    'orders/create': {},
    'orders/paid': {},
    'orders/fulfilled': {},
    'customers/create': {},
    'products/update': {},
  },
  // Signed with the client secret of the app that created the webhook, or with the secret of the shop's notifications.
  eventSource: {
    header: 'X-Shopify-Topic',
    signature: { header: 'X-Shopify-Hmac-Sha256', algorithm: 'sha256', encoding: 'base64' },
    secretOf: 'endpoint',
    delivery: { header: 'X-Shopify-Event-Id' },
  },
});
