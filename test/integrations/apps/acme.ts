/** An APPS_FILE of an OAuth 2 app and an API-key app, as JSON that a test may change. */
export function acmeFile() {
  return structuredClone([acme, keyed]);
}

const acme = {
  type: 'acme_crm',
  name: 'Acme CRM',
  auth: {
    kind: 'oauth2',
    authorization_url: 'https://{tenant}.acme.example/oauth/authorize',
    token_url: 'https://{tenant}.acme.example/oauth/token',
    revocation_url: null,
    issuer: null,
    scopes: ['contacts.read'],
    scope_separator: ' ',
    pkce: true,
    token_endpoint_auth_method: 'client_secret_basic',
    authorization_params: {},
    client_id: 'acme-client',
    client_secret: 'acme-secret-9f2c',
  },
  api_base_url: 'https://{tenant}.acme.example',
  parameters: { tenant: { description: 'Your Acme subdomain', pattern: '^[a-z0-9-]{1,63}$' } },
  identity: { url: 'https://{tenant}.acme.example/me', id: 'data.id', name: 'data.email' },
  events: { 'contact.created': {} },
  event_source: {
    header: 'X-Acme-Event',
    json_path: null,
    signature: { header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
  },
};

const keyed = {
  type: 'keyed_app',
  name: 'Keyed App',
  auth: {
    kind: 'api_key',
    placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
    verify: { method: 'GET', url: 'https://api.keyed.example/me', ok: [200] },
  },
  api_base_url: 'https://api.keyed.example',
};
