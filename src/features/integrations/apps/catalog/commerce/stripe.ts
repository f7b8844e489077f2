import { defineApp } from '../../app.js';

/** Secret keys, or restricted keys that may read the balance. */
export const stripe = defineApp({
  type: 'stripe',
  name: 'Stripe',
  documentationUrl: 'https://docs.stripe.com/api/authentication',
  verified: true,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.stripe.com/v1/balance', ok: [200] },
  },
  apiBaseUrl: 'https://api.stripe.com',
  events: {
    'checkout.session.completed': {},
    'payment_intent.succeeded': {},
    'payment_intent.payment_failed': {},
    'charge.refunded': {},
    'invoice.paid': {},
    'invoice.payment_failed': {},
    'customer.subscription.created': {},
    'customer.subscription.updated': {},
    'customer.subscription.deleted': {},
  },
  eventSource: {
    jsonPath: 'type',
    signature: { scheme: 'stripe' },
    secretOf: 'endpoint',
    delivery: { jsonPath: 'id' },
  },
});
