import { defineApp } from '../../app.js';

/** Tokens of one server, not of the account. */
export const postmark = defineApp({
  type: 'postmark',
  name: 'Postmark',
  documentationUrl: 'https://postmarkapp.com/developer/api/server-api',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'X-Postmark-Server-Token' },
    verify: { method: 'GET', url: 'https://api.postmarkapp.com/server', ok: [200] },
  },
  apiBaseUrl: 'https://api.postmarkapp.com',
  identity: { url: 'https://api.postmarkapp.com/server', id: 'ID', name: 'Name' },
  events: { Delivery: {}, Bounce: {}, SpamComplaint: {}, Open: {}, Click: {}, SubscriptionChange: {} },
  // Postmark does not sign events.
  eventSource: { jsonPath: 'RecordType', signature: null },
});
