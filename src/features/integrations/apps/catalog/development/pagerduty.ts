import { defineApp } from '../../app.js';

/** General access keys and keys of users, in the US service region. No identity: a general key belongs to no user. */
export const pagerduty = defineApp({
  type: 'pagerduty',
  name: 'PagerDuty',
  documentationUrl: 'https://developer.pagerduty.com/docs/authentication',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Token token=' },
    verify: { method: 'GET', url: 'https://api.pagerduty.com/abilities', ok: [200] },
  },
  apiBaseUrl: 'https://api.pagerduty.com',
  events: { 'incident.triggered': {}, 'incident.acknowledged': {}, 'incident.resolved': {}, 'incident.reassigned': {} },
  eventSource: {
    jsonPath: 'event.event_type',
    signature: { scheme: 'pagerduty' },
    secretOf: 'endpoint',
    delivery: { jsonPath: 'event.id' },
  },
});
