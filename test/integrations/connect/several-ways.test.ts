import { Browser } from '../../support/browser/browser.js';
import { Client } from '../../support/http/client.js';
import { until } from '../../support/until.js';
import { AppCalls } from '../tokens/app-calls.js';
import { IntegrationWorld, stateOf } from '../world.js';

describe('an application that is connected by OAuth or by API key', () => {
  let world: IntegrationWorld;
  let calls: AppCalls;
  const type = 'two_way_app';

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    calls = new AppCalls(world);
  });
  beforeEach(() => world.provider.reset());
  afterAll(() => world.close());

  const connect = (body: object) => world.post('/integrations/connect', { type, ...body });
  const key = { api_key: 'good-alice' };
  const byKey = async () => (await connect({ credentials: key })).body.id as string;
  const authOf = async (id: string) => {
    const { body } = await world.client.graphql('query ($id: ID!) { integration(id: $id) { auth } }', { id });
    return body.data.integration.auth as string;
  };
  const detailsOf = ({ status, body }: { status: number; body: any }) => [status, body.details];

  it('is listed with its ways', async () => {
    const { body } = await world.client.rest('GET', `/integration_types?search=${type}`);
    expect(body.data[0]).toMatchObject({
      auth: 'oauth2',
      configured: true,
      scopes: ['read', 'write'],
      auths: [
        { kind: 'oauth2', configured: true, scopes: ['read', 'write'], fields: [] },
        {
          kind: 'api_key',
          configured: true,
          scopes: [],
          fields: [{ name: 'api_key', description: 'API key', secret: true }],
        },
      ],
    });
  });

  it('is connected by the way that takes the credentials', async () => {
    const [keyed, signed] = [await connect({ credentials: key }), await connect({})];
    expect([keyed.status, keyed.body.status]).toEqual([201, 'connected']);
    expect([signed.status, stateOf(signed.body.redirect_url as string)]).toEqual([200, expect.any(String)]);
    expect([await authOf(keyed.body.id as string), await authOf(signed.body.integration_id as string)]).toEqual([
      'API_KEY',
      'OAUTH2',
    ]);
    await calls.call(keyed.body.id as string);
    expect(world.provider.calls.map(({ token }) => token)).toEqual(['good-alice']);
  });

  it('is connected by the named way', async () => {
    expect((await connect({ auth: 'oauth2' })).status).toBe(200);
    expect((await connect({ auth: 'api_key', credentials: key })).status).toBe(201);
    expect(detailsOf(await connect({ auth: 'api_key' }))).toEqual([
      400,
      [{ field: 'credentials', message: 'is required: { "api_key": "…" }' }],
    ]);
    expect(detailsOf(await connect({ auth: 'oauth2', credentials: key }))).toEqual([
      400,
      [{ field: 'credentials', message: 'must be left out: The two_way_app connects by OAuth' }],
    ]);
  });

  it('refuses a way that it does not have, and credentials of no way', async () => {
    const one = await world.post('/integrations/connect', { type: 'key_app', auth: 'oauth2' });
    expect(detailsOf(one)).toEqual([400, [{ field: 'auth', message: 'must be one of api_key' }]]);
    expect((await connect({ auth: 'saml' })).status).toBe(400);
    expect(detailsOf(await connect({ credentials: { token: 'good' } }))).toEqual([
      400,
      [
        { field: 'credentials.api_key', message: 'is required' },
        { field: 'credentials.token', message: 'is not used: { "api_key": "…" }' },
      ],
    ]);
    expect(world.provider.probes).toEqual([]);
  });

  it('changes to a key in reconnect, and then gives back the tokens', async () => {
    const id = await world.connected('alice', type);
    expect((await world.get(id)).renews).toBe(true);
    const { status, body } = await world.post(`/integrations/${id}/reconnect`, { credentials: key });
    expect([status, body]).toMatchObject([200, { id, status: 'connected', expires_at: null, renews: false }]);
    expect(body.scopes).toBeUndefined();
    expect(await authOf(id)).toBe('API_KEY');
    await until(() => world.provider.revoked.length === 2);
    expect(world.provider.revoked).toEqual([expect.stringMatching(/^rt-alice/), expect.stringMatching(/^at-alice/)]);
    await calls.call(id);
    expect(world.provider.calls.map(({ token }) => token)).toEqual(['good-alice']);
  });

  it('changes to OAuth in reconnect, and keeps the key until then', async () => {
    const id = await byKey();
    const flow = await world.restart(id);
    await calls.call(id);
    await world.callback({ state: flow.state, code: 'alice' }, { type });
    await calls.call(id);
    expect(world.provider.calls.map(({ token }) => token)).toEqual([
      'good-alice',
      expect.stringMatching(/^at-alice/) as string,
    ]);
    expect([await authOf(id), (await world.get(id)).scopes]).toEqual(['OAUTH2', ['read', 'write']]);
    expect(await world.history(id)).toEqual(['>connected:connected', 'connected>connected:reconnected']);
  });

  it('changes nothing if the key of the other way is of another account, or refused', async () => {
    const id = await world.connected('alice', type);
    const reconnect = (api_key: string) => world.post(`/integrations/${id}/reconnect`, { credentials: { api_key } });
    expect((await reconnect('good-bob')).status).toBe(409);
    expect((await reconnect('bad')).status).toBe(422);
    expect([await authOf(id), (await world.get(id)).version]).toEqual(['OAUTH2', 2]);
    expect(world.provider.revoked).toEqual([]);
  });

  it('ends an open flow with the key that comes first', async () => {
    const { body } = await connect({});
    const id = body.integration_id as string;
    const { status } = await world.post(`/integrations/${id}/reconnect`, { credentials: key });
    expect(status).toBe(200);
    const state = stateOf(body.redirect_url as string);
    expect((await world.callback({ state, code: 'alice' }, { type })).status).toBe(400);
    expect(await world.history(id)).toEqual(['>pending:awaiting_authorization', 'pending>connected:connected']);
  });

  it('ends as disconnected when the application refuses the key', async () => {
    const id = await byKey();
    world.provider.onVerify = () => ({ status: 401 });
    expect((await world.post(`/integrations/${id}/test`)).body).toEqual({ ok: false, reason: 'key_refused' });
    expect((await world.get(id)).status).toBe('disconnected');
  });

  describe('and whose first flow has failed', () => {
    const denied = async (state: string) => world.callback({ state, error: 'access_denied' }, { type });
    const FIRST_CONNECTED = [
      '>pending:awaiting_authorization',
      'pending>disconnected:access_denied',
      'disconnected>connected:connected',
    ];

    it('is connected for the first time by a key', async () => {
      const { id, state } = await world.start(type);
      await denied(state);
      const { status, body } = await world.post(`/integrations/${id}/reconnect`, { credentials: key });
      expect([status, body.status]).toEqual([200, 'connected']);
      expect(await world.history(id)).toEqual(FIRST_CONNECTED);
    });

    it('is connected by a key in the same connect session, over the API and on its page', async () => {
      for (const way of ['api', 'page']) {
        const { token, connect_url } = (await world.client.rest('POST', '/connect_sessions', { body: { type } })).body;
        const client = new Client(world.server.baseUrl, token as string);
        const started = await client.rest('POST', '/integrations/connect', { body: { type } });
        await denied(stateOf(started.body.redirect_url as string));
        const { status } =
          way === 'api'
            ? await client.rest('POST', '/integrations/connect', { body: { type, credentials: key } })
            : await new Browser().visit(connect_url as string, { form: { type, auth: 'api_key', ...key } });
        expect([way, status]).toEqual([way, way === 'api' ? 201 : 303]);
        expect(await world.history(started.body.integration_id as string)).toEqual(FIRST_CONNECTED);
      }
    });
  });

  it('offers both ways on the page of a connect session', async () => {
    const session = await world.client.rest('POST', '/connect_sessions', { body: { type } });
    const url = session.body.connect_url as string;
    const page = await (await fetch(url)).text();
    expect(page).toContain('Continue to The two_way_app');
    expect(page).toContain(`href="?type=${type}&amp;auth=api_key"`);
    const keyed = await (await fetch(`${url}?type=${type}&auth=api_key`)).text();
    expect(keyed).toMatch(/name="api_key"/);
    expect(keyed).toContain(`href="?type=${type}&amp;auth=oauth2"`);
    const browser = new Browser();
    const signIn = await browser.visit(url, { form: { type, auth: 'oauth2' } });
    expect(signIn.headers.get('location')).toMatch(new RegExp(`^${world.provider.url}/authorize`));
    const pasted = await browser.visit(url, { form: { type, auth: 'api_key', api_key: 'good-alice' } });
    expect(pasted.status).toBe(303);
    const { body } = await world.client.rest('GET', `/integrations?type=${type}&per_page=1`);
    expect([body.data[0].status, await authOf(body.data[0].id as string)]).toEqual(['connected', 'API_KEY']);
  });
});
