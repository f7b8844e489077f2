import { defineHandshake } from './define-handshake.js';

/** Echoes `validationToken`, within 10 s: https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks */
export const microsoft_graph = defineHandshake({
  name: 'microsoft_graph',
  queryMethod: 'POST',
  ofQuery: (query) => query.get('validationToken') ?? undefined,
});
