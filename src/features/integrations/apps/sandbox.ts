import { withoutTrailingSlashes } from '../../../platform/trailing-slashes.js';
import { keepSecrets } from './app-secrets.js';
import { defineApp, type App } from './app.js';

/** The types of the two sandbox apps. No other app may use them, even if the sandbox is off. */
export const SANDBOX_TYPES = ['sandbox_oauth', 'sandbox_api_key'] as const;

/** Both sandbox apps. Their provider is this service itself, at `baseUrl`. */
export function sandboxApps(baseUrl: string): App[] {
  const sandbox = `${withoutTrailingSlashes(baseUrl)}/sandbox`;
  return [sandboxOAuth(sandbox), sandboxApiKey(sandbox)];
}

function sandboxOAuth(sandbox: string): App {
  const app = defineApp({
    type: SANDBOX_TYPES[0],
    name: 'Sandbox (OAuth 2)',
    auth: {
      kind: 'oauth2',
      authorizationUrl: `${sandbox}/oauth/authorize`,
      tokenUrl: `${sandbox}/oauth/token`,
      revocationUrl: `${sandbox}/oauth/revoke`,
      issuer: sandbox,
      scopes: ['contacts.read', 'contacts.write'],
      tokenEndpointAuthMethod: 'none',
    },
    documentationUrl: sandbox,
    apiBaseUrl: sandbox,
    identity: { url: `${sandbox}/me`, id: 'id', name: 'name' },
    events: { 'contact.created': {}, 'contact.updated': {} },
    eventSource: {
      header: 'X-Sandbox-Event',
      signature: { header: 'X-Sandbox-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
    },
  });
  keepSecrets(app, { client: { clientId: 'sandbox' } });
  return app;
}

function sandboxApiKey(sandbox: string): App {
  return defineApp({
    type: SANDBOX_TYPES[1],
    name: 'Sandbox (API key)',
    auth: {
      kind: 'api_key',
      placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
      verify: { method: 'GET', url: `${sandbox}/me`, ok: [200] },
    },
    documentationUrl: sandbox,
    apiBaseUrl: sandbox,
    events: { 'item.created': {} },
    eventSource: {
      header: 'X-Sandbox-Event',
      signature: { header: 'X-Sandbox-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
    },
  });
}
