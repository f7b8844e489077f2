import { defineApp } from '../../app.js';

/** Access tokens live for 4 hours. */
export const dropbox = defineApp({
  type: 'dropbox',
  name: 'Dropbox',
  documentationUrl: 'https://developers.dropbox.com/oauth-guide',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://www.dropbox.com/oauth2/authorize',
    tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
    scopes: ['account_info.read', 'files.metadata.read', 'files.content.read', 'files.content.write'],
    // Without this, Dropbox issues no refresh token.
    authorizationParams: { token_access_type: 'offline' },
  },
  // No identity: Dropbox names the account only in response to a POST, and identity requests are GETs.
  apiBaseUrl: 'https://api.dropboxapi.com/2',
});
