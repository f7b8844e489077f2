import { defineApp } from '../app.js';

/** Acts for a user, not as a bot; access tokens live for 7 days. */
export const discord = defineApp({
  type: 'discord',
  name: 'Discord',
  documentationUrl: 'https://docs.discord.com/developers/topics/oauth2',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    revocationUrl: 'https://discord.com/api/oauth2/token/revoke',
    // Whichever token is revoked, all tokens of that authorization end.
    revocationEndsGrant: true,
    scopes: ['identify', 'guilds'],
    // The page on OAuth2 speaks of no PKCE.
    pkce: false,
  },
  apiBaseUrl: 'https://discord.com/api/v10',
  identity: { url: 'https://discord.com/api/v10/users/@me', id: 'id', name: 'username' },
});
