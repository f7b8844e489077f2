import { defineApp } from '../app.js';

/** Access tokens live for an hour. Webhooks need a handshake with a header of Asana's own, so that there are no events. */
export const asana = defineApp({
  type: 'asana',
  name: 'Asana',
  documentationUrl: 'https://developers.asana.com/docs/oauth',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    revocationUrl: 'https://app.asana.com/-/oauth_revoke',
    scopes: ['users:read', 'workspaces:read', 'projects:read', 'tasks:read', 'tasks:write'],
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://app.asana.com/api/1.0',
  identity: { url: 'https://app.asana.com/api/1.0/users/me', id: 'data.gid', name: 'data.name' },
});
