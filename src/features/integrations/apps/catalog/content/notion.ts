import { defineApp } from '../../app.js';

/** Public connections. The token endpoint accepts only HTTP Basic, names no scopes, and rotates refresh tokens. */
export const notion = defineApp({
  type: 'notion',
  name: 'Notion',
  documentationUrl: 'https://developers.notion.com/reference/create-a-token',
  verified: true,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    // No scopes: users grant access page by page on Notion's own screen.
    scopes: [],
    pkce: false,
    authorizationParams: { owner: 'user' },
  },
  apiBaseUrl: 'https://api.notion.com',
  apiHeaders: { 'Notion-Version': '2026-03-11' },
  identity: { url: 'https://api.notion.com/v1/users/me', id: 'id', name: 'name' },
});
