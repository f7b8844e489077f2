import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const FIELDS = ['id', 'type', 'name', 'status', 'connected_at', 'expires_at'];

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const connect = (body: object) => client.rest('POST', '/integrations/connect', { body });
const byKey = (body: object = {}) =>
  connect({ type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' }, ...body });

describe('POST /v1/integrations/connect', () => {
  it('answers 201 with the six fields for an API key that works', async () => {
    const { status, body } = await byKey({ label: 'Mine' });
    expect([status, Object.keys(body)]).toEqual([201, FIELDS]);
    expect(body).toMatchObject({ type: 'sandbox_api_key', name: 'Mine', status: 'connected', expires_at: null });
    expect(body.id).toMatch(/^int_[0-9a-z]{26}$/);
    expect((await byKey({ label: null })).body.name).toBe('sandbox_api_key');
  });

  it('answers 200 with redirect_url and integration_id for OAuth, and lists the pending one', async () => {
    const { status, body } = await connect({ type: 'sandbox_oauth', label: 'Soon' });
    expect([status, Object.keys(body)]).toEqual([200, ['redirect_url', 'integration_id']]);
    const pending = await client.rest('GET', `/integrations/${body.integration_id}`);
    expect(pending.body).toMatchObject({ name: 'Soon', status: 'pending', connected_at: null, expires_at: null });
    expect(Object.keys(pending.body).slice(0, 7)).toEqual([...FIELDS, 'version']);
    const listed = (await client.rest('GET', '/integrations?status=pending')).body.data;
    expect(listed).toContainEqual({
      id: body.integration_id,
      type: 'sandbox_oauth',
      name: 'Soon',
      status: 'pending',
      connected_at: null,
      expires_at: null,
    });
  });

  it.each([
    [{}, 'type'],
    [{ type: null }, 'type'],
    [{ type: 'unheard_of' }, 'type'],
    [{ type: 'SANDBOX_OAUTH' }, 'type'],
    [{ type: '__proto__' }, 'type'],
    [{ type: 'constructor' }, 'type'],
    [{ type: 'sandbox_api_key' }, 'credentials'],
    [{ type: 'sandbox_api_key', credentials: null }, 'credentials'],
    [{ type: 'sandbox_api_key', credentials: 'sandbox_valid_key' }, 'credentials'],
    [{ type: 'sandbox_api_key', credentials: {} }, 'credentials.api_key'],
    [{ type: 'sandbox_api_key', credentials: { api_key: '' } }, 'credentials.api_key'],
    [{ type: 'sandbox_api_key', credentials: { api_key: 5 } }, 'credentials.api_key'],
    [{ type: 'sandbox_oauth', credentials: { api_key: 'x' } }, 'credentials'],
    [{ type: 'sandbox_oauth', credentials: {} }, 'credentials'],
    [{ type: 'sandbox_oauth', label: '' }, 'label'],
    [{ type: 'sandbox_oauth', label: 'l'.repeat(256) }, 'label'],
    [{ type: 'sandbox_oauth', reference: '' }, 'reference'],
    [{ type: 'sandbox_oauth', return_url: 'https://evil.example/' }, 'return_url'],
    [{ type: 'sandbox_oauth', return_url: 'nonsense' }, 'return_url'],
  ])('refuses %j and stores nothing', async (body, field) => {
    const total = async () => (await client.rest('GET', '/integrations')).body.meta.total;
    const before = await total();
    expect(await connect(body)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ field }] },
    });
    expect(await total()).toBe(before);
  });

  it('answers 422 to a key that the application refuses, without a trace of it', async () => {
    const { status, body } = await byKey({ credentials: { api_key: 'sandbox_wrong_key' } });
    expect([status, body.code, JSON.stringify(body)]).toEqual([
      422,
      'invalid_credentials',
      expect.not.stringContaining('wrong_key'),
    ]);
  });
});

describe('GET /v1/integrations', () => {
  it('lists newest first, filtered and paged, of one account', async () => {
    const owner = new Client(server.baseUrl, await server.key('read-write', 'lister'));
    const made: string[] = [];
    for (const reference of ['r1', 'r2', 'r1']) {
      const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' }, reference };
      made.unshift((await owner.rest('POST', '/integrations/connect', { body })).body.id);
    }
    const list = async (query: string) => (await owner.rest('GET', `/integrations${query}`)).body;
    const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
    expect(Object.keys((await list('')).data[0])).toEqual(FIELDS);
    expect([await ids(''), (await list('')).meta]).toEqual([made, { total: 3, page: 1, per_page: 20 }]);
    expect(await ids('?reference=r1&type=sandbox_api_key&status=connected')).toEqual([made[0], made[2]]);
    expect(await ids('?page=2&per_page=2')).toEqual([made[2]]);
    expect(await ids('?status=expired')).toEqual([]);
    await owner.rest('DELETE', `/integrations/${made[0]!}`);
    expect((await list('')).meta.total).toBe(2);
  });
});

describe('GET /v1/integrations/:id', () => {
  it('says whether it is renewed, and where its events are posted, where it has any', async () => {
    const [key, flow] = [(await byKey()).body.id, (await connect({ type: 'sandbox_oauth' })).body.integration_id];
    for (const id of [key, flow] as string[]) {
      const { body } = await client.rest('GET', `/integrations/${id}`);
      const { data } = (await client.graphql('query ($id: ID!) { integration(id: $id) { renews eventsUrl } }', { id }))
        .body;
      const { renews, events_url = null } = body;
      expect({ renews, eventsUrl: events_url }).toEqual({ ...data.integration, renews: false });
    }
    expect((await client.rest('GET', `/integrations/${key}`)).body.events_url).toMatch(
      new RegExp(`^${server.baseUrl}/events/[A-Za-z0-9_-]{43}$`),
    );
    const put = await client.rest('PUT', `/integrations/${key}`, { body: {} });
    expect(put.body).toEqual((await client.rest('GET', `/integrations/${key}`)).body);
  });
});

describe('GET /v1/integrations/:id/history', () => {
  it('lists the changes of one integration, newest first, paged', async () => {
    const { id } = (await byKey()).body;
    await client.rest('POST', `/integrations/${id}/disconnect`);
    const list = (query = '') => client.rest('GET', `/integrations/${id}/history${query}`);
    const { status, body } = await list();
    expect([status, body.meta]).toEqual([200, { total: 2, page: 1, per_page: 20 }]);
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^chg_[0-9a-z]{26}$/),
        previous_status: 'connected',
        status: 'disconnected',
        reason: 'disconnected_by_user',
        version: 2,
        at: expect.any(String),
      },
      expect.objectContaining({ previous_status: null, status: 'connected', version: 1 }),
    ]);
    expect((await list('?per_page=1&page=2')).body).toEqual({
      data: [body.data[1]],
      meta: { total: 2, page: 2, per_page: 1 },
    });
    expect((await list('?per_page=101')).status).toBe(400);
    const other = new Client(server.baseUrl, await server.key('read-write', 'historian'));
    expect((await other.rest('GET', `/integrations/${id}/history`)).status).toBe(401);
  });
});

describe('the end of an integration', () => {
  it('is a disconnection, twice the same, then a deletion', async () => {
    const { id } = (await byKey()).body;
    const first = await client.rest('POST', `/integrations/${id}/disconnect`);
    expect(first).toMatchObject({
      status: 200,
      body: { id, status: 'disconnected', status_reason: 'disconnected_by_user' },
    });
    expect(await client.rest('POST', `/integrations/${id}/disconnect`)).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect((await client.rest('DELETE', `/integrations/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/disconnect'],
      ['POST', '/test'],
      ['POST', '/reconnect'],
    ] as const) {
      expect([path, (await client.rest(method, `/integrations/${id}${path}`)).status]).toEqual([path, 404]);
    }
  });
});

describe('GET /v1/integration_types', () => {
  const FIELDS = ['type', 'name', 'auth', 'auths', 'configured', 'scopes', 'events', 'parameters', 'documentation_url'];

  it('lists what can be connected, 100 a page', async () => {
    const { status, body } = await client.rest('GET', '/integration_types');
    expect([status, body.meta.page, body.meta.per_page]).toEqual([200, 1, 100]);
    expect(body.data).toHaveLength(Math.min(body.meta.total, 100));
    for (const item of body.data) expect(Object.keys(item)).toEqual(FIELDS);
    expect(body.data.find(({ type }: { type: string }) => type === 'sandbox_oauth')).toMatchObject({
      auth: 'oauth2',
      configured: true,
      parameters: [],
    });
  });

  it('searches in type and name, and pages', async () => {
    const found = (await client.rest('GET', '/integration_types?search=SANDBOX')).body;
    expect(found.data.map(({ type }: { type: string }) => type).sort()).toEqual(['sandbox_api_key', 'sandbox_oauth']);
    expect((await client.rest('GET', '/integration_types?search=sandbox&per_page=1&page=2')).body).toMatchObject({
      data: [found.data[1]],
      meta: { total: 2, page: 2, per_page: 1 },
    });
  });
});
