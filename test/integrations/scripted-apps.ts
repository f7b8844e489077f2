/** An OAuth app of a provider with the endpoints of `ScriptedProvider`. */
export function oauthApp(url: string, type: string, auth: Record<string, unknown> = {}, more: object = {}) {
  return {
    type,
    name: `The ${type}`,
    auth: {
      kind: 'oauth2',
      authorization_url: `${url}/authorize`,
      token_url: `${url}/token`,
      revocation_url: `${url}/revoke`,
      issuer: url,
      scopes: ['read', 'write'],
      client_id: 'client',
      client_secret: 'client-secret-4711',
      ...auth,
    },
    api_base_url: url,
    identity: { url: `${url}/me`, id: 'data.id', name: 'data.name' },
    ...more,
  };
}

/** What `IntegrationWorld` connects: OAuth and API-key apps of a `ScriptedProvider`. */
export function scriptedApps(url: string): unknown[] {
  const key = { kind: 'api_key', placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' } };
  const verify = { method: 'GET', url: `${url}/key`, ok: [200] };
  return [
    oauthApp(url, 'oauth_app'),
    oauthApp(url, 'other_app'),
    oauthApp(url, 'one_grant_app', { revocation_ends_grant: true, client_id: 'google' }),
    oauthApp(url, 'sister_app', { revocation_ends_grant: true, client_id: 'google' }),
    oauthApp(url, 'basic_back_app', {
      token_endpoint_auth_method: 'client_secret_post',
      revocation_auth_method: 'client_secret_basic',
    }),
    oauthApp(url, 'post_back_app', { revocation_auth_method: 'client_secret_post' }),
    oauthApp(
      url,
      'eventful_app',
      {},
      { events: { 'item.made': {} }, event_source: { header: 'X-E', json_path: null, signature: null } },
    ),
    oauthApp(url, 'bare_app', { revocation_url: null, issuer: null }, { identity: undefined }),
    oauthApp(
      url,
      'tenant_app',
      {},
      { parameters: { tenant: { description: 'T', pattern: '[a-z]+' } }, api_base_url: `${url}/{tenant}` },
    ),
    oauthApp(
      url,
      'company_app',
      { captures: { company: { path: 'api.domain', pattern: 'http://localhost:[0-9]+' } } },
      { api_base_url: '{company}', identity: { url: '{company}/me', id: 'data.id', name: 'data.name' } },
    ),
    oauthApp(
      url,
      'shard_app',
      { captures: { shard: { path: 'shard' } } },
      { api_base_url: `${url}/api/{shard}`, identity: undefined },
    ),
    {
      type: 'key_app',
      name: 'Key app',
      auth: { ...key, verify },
      api_base_url: url,
      identity: { url: `${url}/key/me`, id: 'account.id', name: 'account.mail' },
    },
    {
      ...oauthApp(url, 'two_way_app'),
      auth: [oauthApp(url, 'two_way_app').auth, { ...key, verify }],
      identity: { url: `${url}/who`, id: 'id', name: 'id' },
    },
    {
      type: 'lost_app',
      name: 'Lost',
      auth: { ...key, verify: { ...verify, url: 'http://localhost:9/' } },
      api_base_url: url,
    },
  ];
}
