import { defineApp } from '../../app.js';

/** Reads, labels and sends mail. The account is the Google account (`sub`), shown by its e-mail address. */
export const gmail = defineApp({
  type: 'gmail',
  name: 'Gmail',
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
    scopes: ['openid', 'email', 'https://www.googleapis.com/auth/gmail.modify'],
    tokenEndpointAuthMethod: 'client_secret_post',
    // Google issues a refresh token only for offline access, and another one only after another consent.
    authorizationParams: { access_type: 'offline', prompt: 'consent' },
  },
  apiBaseUrl: 'https://gmail.googleapis.com/gmail/v1',
  identity: { url: 'https://openidconnect.googleapis.com/v1/userinfo', id: 'sub', name: 'email' },
});
