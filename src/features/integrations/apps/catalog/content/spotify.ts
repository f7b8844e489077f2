import { defineApp } from '../../app.js';

/** Access tokens live for an hour. */
export const spotify = defineApp({
  type: 'spotify',
  name: 'Spotify',
  documentationUrl: 'https://developer.spotify.com/documentation/web-api/tutorials/code-flow',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://accounts.spotify.com/authorize',
    tokenUrl: 'https://accounts.spotify.com/api/token',
    scopes: ['user-read-private', 'playlist-read-private', 'playlist-modify-private', 'playlist-modify-public'],
    // Spotify uses PKCE only for clients without a secret.
    pkce: false,
  },
  apiBaseUrl: 'https://api.spotify.com/v1',
  identity: { url: 'https://api.spotify.com/v1/me', id: 'id', name: 'display_name' },
});
