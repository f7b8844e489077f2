import { defineApp } from '../../app.js';

/** API keys with full access. A key that may only send is refused, because it may not make the verification request. */
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
