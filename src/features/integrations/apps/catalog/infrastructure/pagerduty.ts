import { defineApp } from '../../app.js';

/** General access keys and keys of users. No identity: a general key belongs to no user. */
export const pagerduty = defineApp({
  type: 'pagerduty',
  name: 'PagerDuty',
  documentationUrl: 'https://developer.pagerduty.com/docs/authentication',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Token token=' },
    verify: { method: 'GET', url: 'https://{region}.pagerduty.com/abilities', ok: [200] },
  },
  apiBaseUrl: 'https://{region}.pagerduty.com',
  parameters: {
    region: {
      description: 'The service region of your account: eu if you sign in at app.eu.pagerduty.com',
      choices: { us: 'api', eu: 'api.eu' },
      default: 'us',
    },
  },
  events: { 'incident.triggered': {}, 'incident.acknowledged': {}, 'incident.resolved': {}, 'incident.reassigned': {} },
  eventSource: {
    jsonPath: 'event.event_type',
    signature: { scheme: 'pagerduty' },
    secretOf: 'endpoint',
    delivery: { jsonPath: 'event.id' },
  },
});
