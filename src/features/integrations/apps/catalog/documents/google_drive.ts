import { defineApp } from '../../app.js';

/** All files of the user. The account is the Google account (`sub`), shown by its e-mail address. */
export const googleDrive = defineApp({
  type: 'google_drive',
  name: 'Google Drive',
  documentationUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revocationUrl: 'https://oauth2.googleapis.com/revoke',
    // One grant per user and client: revoking an old token would end the new tokens, too.
    revocationEndsGrant: true,
    issuer: 'https://accounts.google.com',
    scopes: ['openid', 'email', 'https://www.googleapis.com/auth/drive'],
    tokenEndpointAuthMethod: 'client_secret_post',
    // Google issues a refresh token only for offline access, and another one only after another consent.
    authorizationParams: { access_type: 'offline', prompt: 'consent' },
  },
  apiBaseUrl: 'https://www.googleapis.com/drive/v3',
  identity: { url: 'https://openidconnect.googleapis.com/v1/userinfo', id: 'sub', name: 'email' },
});
