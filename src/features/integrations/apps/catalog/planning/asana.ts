import { defineApp } from '../../app.js';

/** Access tokens live for an hour. No events: webhooks need a handshake with Asana's own header. */
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
