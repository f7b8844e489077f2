import { createHash } from 'node:crypto';
import { Client } from '../../support/http/client.js';
import { OAuthProvider } from '../../support/worlds/oauth-provider.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { oauthApp } from '../scripted-apps.js';
import { appsOf, stateOf } from '../world.js';

const TYPES = {
  basic_app: 'client_secret_basic',
  post_app: 'client_secret_post',
  public_app: 'none',
  /** A property of this provider: tokens of one user session end together. */
  session_app: 'client_secret_basic',
} as const;

describe('OAuth with a real authorization server', () => {
  let provider: OAuthProvider;
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    provider = await OAuthProvider.start();
    const { issuer } = provider;
    const endpoints = {
      authorization_url: `${issuer}/auth`,
      revocation_url: `${issuer}/token/revocation`,
      scopes: ['openid'],
    };
    const identity = { url: `${issuer}/me`, id: 'sub', name: 'email' };
    server = await startTestServer({
      apps: (baseUrl) => {
        provider.register(
          Object.entries(TYPES).map(([type, method]) => ({
            client_id: type,
            ...(method !== 'none' && { client_secret: `secret of ${type}: 1+1=2` }),
            token_endpoint_auth_method: method,
            grant_types: ['authorization_code', 'refresh_token'],
            redirect_uris: [`${baseUrl}/oauth/callback/${type}`],
          })),
        );
        return appsOf(
          Object.entries(TYPES).map(([type, method]) => {
            const secret = method === 'none' ? undefined : `secret of ${type}: 1+1=2`;
            const client = { client_id: type, client_secret: secret, token_endpoint_auth_method: method };
            return oauthApp(
              issuer,
              type,
              { ...endpoints, ...client, revocation_ends_grant: type === 'session_app' },
              { identity },
            );
          }),
        );
      },
    });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(async () => {
    await server.close();
    await provider.stop();
  });

  const start = async (type: string) => (await client.rest('POST', '/integrations/connect', { body: { type } })).body;
  const get = async (id: string) => (await client.rest('GET', `/integrations/${id}`)).body;

  it.each(Object.entries(TYPES))('connects %s, whose client authenticates by %s', async (type, method) => {
    const before = server.clock.now().getTime();
    const { redirect_url, integration_id } = await start(type);
    expect(await get(integration_id)).toEqual({
      id: integration_id,
      type,
      name: type,
      status: 'pending',
      connected_at: null,
      expires_at: null,
      version: 1,
      status_reason: 'awaiting_authorization',
      renews: false,
    });

    const visits = provider.visits.length;
    const callback = await provider.browserOf('alice').leave(redirect_url);
    expect(callback).toContain(`${server.baseUrl}/oauth/callback/${type}?`);
    expect(new URL(callback).searchParams.get('iss')).toBe(provider.issuer);
    const landed = await fetch(callback);
    expect([landed.status, await landed.text()]).toEqual([200, expect.stringContaining(`The ${type} is connected`)]);

    const asked = provider.visits.slice(visits).filter(({ path }) => path === '/token' || path === '/me');
    expect(asked.map(({ path, status }) => [path, status])).toEqual([
      ['/token', 200],
      ['/me', 200],
    ]);
    const [{ form, authorization }] = asked as [(typeof asked)[0]];
    const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url');
    expect(new URL(redirect_url).searchParams.get('code_challenge')).toBe(challenge);
    expect(authorization?.startsWith('Basic ') ?? false).toBe(method === 'client_secret_basic');
    expect(form.has('client_secret')).toBe(method === 'client_secret_post');

    const integration = await get(integration_id);
    expect(integration).toEqual({
      id: integration_id,
      type,
      name: type,
      status: 'connected',
      connected_at: expect.any(String),
      expires_at: expect.any(String),
      version: 2,
      account: { id: 'alice', name: 'alice@provider.test' },
      scopes: ['openid'],
      renews: true,
    });
    expect(Date.parse(integration.connected_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(integration.expires_at) - Date.parse(integration.connected_at)).toBeCloseTo(3_600_000, -4);
  });

  it('sends a random state, S256 and the URL of its own callback', async () => {
    const [one, two] = await Promise.all([start('basic_app'), start('basic_app')]);
    const query = Object.fromEntries(new URL(one.redirect_url).searchParams);
    expect(query).toEqual({
      response_type: 'code',
      client_id: 'basic_app',
      redirect_uri: `${server.baseUrl}/oauth/callback/basic_app`,
      scope: 'openid',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(stateOf(two.redirect_url)).not.toBe(query.state);
  });

  it('lists the pending integration, and finds it by status and type', async () => {
    const { integration_id } = await start('public_app');
    const list = async (query: string) =>
      (await client.rest('GET', `/integrations?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await list('status=pending&type=public_app')).toContain(integration_id);
    expect(await list('type=public_app')).toContain(integration_id);
    expect(await list('status=connected')).not.toContain(integration_id);
    expect(await list('status=pending&type=post_app')).not.toContain(integration_id);
  });

  it('ends disconnected when the user says no', async () => {
    const { redirect_url, integration_id } = await start('post_app');
    const exchanges = provider.at('/token').length;
    const callback = await provider.browserOf('bob', 'deny').leave(redirect_url);
    expect(new URL(callback).searchParams.get('error')).toBe('access_denied');
    const landed = await fetch(callback);
    expect([landed.status, await landed.text()]).toEqual([200, expect.stringContaining('was not connected')]);
    expect(provider.at('/token').length).toBe(exchanges);
    expect(await get(integration_id)).toMatchObject({
      status: 'disconnected',
      status_reason: 'access_denied',
      connected_at: null,
      expires_at: null,
      version: 2,
    });
  });

  it('renews with a rotated refresh token repeatedly', async () => {
    const { redirect_url, integration_id } = await start('basic_app');
    await fetch(await provider.browserOf('carol').leave(redirect_url));
    const seen = provider.at('/token').length;
    for (let round = 1; round <= 3; round += 1) {
      const before = await get(integration_id);
      await server.advance(3_590_000);
      const tested = await client.rest('POST', `/integrations/${integration_id}/test`);
      expect(tested.body).toEqual({ ok: true, reason: null });
      const after = await get(integration_id);
      expect(Date.parse(after.expires_at)).toBeGreaterThan(Date.parse(before.expires_at) + 3_000_000);
      expect(after).toMatchObject({ status: 'connected', version: 2, connected_at: before.connected_at });
    }
    const renewals = provider.at('/token').slice(seen);
    expect(renewals.every(({ status }) => status === 200)).toBe(true);
    const tokens = renewals.map(({ form }) => form.get('refresh_token'));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens.length).toBeGreaterThanOrEqual(3);
  });

  it('revokes the tokens of a disconnected integration', async () => {
    const { redirect_url, integration_id } = await start('post_app');
    await fetch(await provider.browserOf('dave').leave(redirect_url));
    const before = provider.at('/token/revocation').length;
    const { status, body } = await client.rest('POST', `/integrations/${integration_id}/disconnect`);
    expect([status, body.status, body.status_reason]).toEqual([200, 'disconnected', 'disconnected_by_user']);
    await until(() => provider.at('/token/revocation').length >= before + 2);
    const revocations = provider.at('/token/revocation').slice(before);
    expect(revocations.map(({ form, status: said }) => [form.get('token_type_hint'), said])).toEqual([
      ['refresh_token', 200],
      ['access_token', 200],
    ]);
  });

  it('connects another session of the same user with tokens that survive the revocation of the old ones', async () => {
    const { redirect_url, integration_id } = await start('basic_app');
    await fetch(await provider.browserOf('erin').leave(redirect_url));
    const again = await client.rest('POST', `/integrations/${integration_id}/reconnect`);
    const before = provider.at('/token/revocation').length;
    await fetch(await provider.browserOf('erin').leave(again.body.redirect_url));
    await until(() => provider.at('/token/revocation').length >= before + 2);
    expect(await get(integration_id)).toMatchObject({ status: 'connected' });
    expect((await client.rest('POST', `/integrations/${integration_id}/test`)).body).toEqual({
      ok: true,
      reason: null,
    });
  });

  it('keeps a connection working that was reconnected in the same session, whose tokens end together', async () => {
    const browser = provider.browserOf('frank');
    const { redirect_url, integration_id } = await start('session_app');
    await fetch(await browser.leave(redirect_url));
    const again = await client.rest('POST', `/integrations/${integration_id}/reconnect`);
    await fetch(await browser.leave(again.body.redirect_url));
    await server.advance(3_600_000);
    const tested = await client.rest('POST', `/integrations/${integration_id}/test`);
    expect([tested.body, (await get(integration_id)).version]).toEqual([{ ok: true, reason: null }, 3]);
  });
});
