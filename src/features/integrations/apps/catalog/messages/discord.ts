import { defineApp } from '../../app.js';

/** Acts for a user, not as a bot. Access tokens live for 7 days. */
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
    // Revoking any token ends all tokens of its authorization.
    revocationEndsGrant: true,
    scopes: ['identify', 'guilds'],
    // Discord's page on OAuth2 does not mention PKCE.
    pkce: false,
  },
  apiBaseUrl: 'https://discord.com/api/v10',
  identity: { url: 'https://discord.com/api/v10/users/@me', id: 'id', name: 'username' },
});
