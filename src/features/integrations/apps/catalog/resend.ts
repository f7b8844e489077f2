import { defineApp } from '../app.js';

/** Keys with full access; one that may only send can ask nothing, and is refused. */
export const resend = defineApp({
  type: 'resend',
  name: 'Resend',
  documentationUrl: 'https://resend.com/docs/api-reference/domains/list-domains',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.resend.com/domains', ok: [200] },
  },
  apiBaseUrl: 'https://api.resend.com',
  events: { 'email.sent': {}, 'email.delivered': {}, 'email.bounced': {}, 'email.complained': {}, 'email.opened': {} },
  eventSource: {
    jsonPath: 'type',
    signature: { scheme: 'standard_webhooks' },
    secretOf: 'endpoint',
    delivery: { header: 'svix-id' },
  },
});
