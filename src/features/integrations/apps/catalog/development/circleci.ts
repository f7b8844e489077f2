import { defineApp } from '../../app.js';

/** Personal API tokens. */
export const circleci = defineApp({
  type: 'circleci',
  name: 'CircleCI',
  documentationUrl: 'https://circleci.com/docs/api/v2/index.html',
  verified: false,
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Circle-Token' },
    verify: { method: 'GET', url: 'https://circleci.com/api/v2/me', ok: [200] },
  },
  apiBaseUrl: 'https://circleci.com/api/v2',
  identity: { url: 'https://circleci.com/api/v2/me', id: 'id', name: 'login' },
});
