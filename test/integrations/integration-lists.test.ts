import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const DAY = 86_400_000;

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
beforeEach(async () => {
  client = new Client(server.baseUrl, await server.key('read-write', crypto.randomUUID()));
});
afterAll(() => server.close());

async function connect(body: object = {}): Promise<string> {
  const credentials = { api_key: 'sandbox_valid_key' };
  return (
    await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_api_key', credentials, ...body } })
  ).body.id;
}

/** Puts a row into a state that would take days to reach. */
async function put(id: string, columns: Record<string, unknown>): Promise<string> {
  const names = Object.keys(columns);
  const set = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
  await server.db.query(`UPDATE integrations SET ${set} WHERE id = $1`, [
    fromPublicId('int', id),
    ...Object.values(columns),
  ]);
  return id;
}

async function listed(args: string): Promise<{ ids: string[]; total: number }> {
  const { body } = await client.graphql(`{ integrations(${args}) { items { id } meta { total } } }`);
  const { items, meta } = body.data.integrations;
  return { ids: items.map(({ id }: { id: string }) => id), total: meta.total };
}

describe('integrations(search)', () => {
  it('finds a text in name, type, reference and account, ignoring case', async () => {
    const named = await connect({ label: 'Berlin Office' });
    const referred = await connect({ label: 'x', reference: 'customer_77%' });
    const accounted = await put(await connect({ label: 'y' }), { external_id: '1', external_name: 'ann@example.com' });
    const found = async (search: string) => (await listed(`search: ${JSON.stringify(search)}`)).ids;
    expect(await found('berlin')).toEqual([named]);
    expect(await found('CUSTOMER_77%')).toEqual([referred]);
    expect(await found('Ann@')).toEqual([accounted]);
    expect(await found('sandbox_API')).toEqual([accounted, referred, named]);
    expect(await found('%')).toEqual([referred]);
    expect(await found('')).toHaveLength(3);
    expect(await listed('search: "office", type: "other"')).toEqual({ ids: [], total: 0 });
  });
});

describe('integrations(needsAttention)', () => {
  it('returns the integrations that need a person, and no others', async () => {
    const now = server.clock.now().getTime();
    const at = (days: number) => new Date(now + days * DAY);
    const connected = await connect();
    const expired = await put(await connect(), { status: 'expired', status_reason: 'token_expired' });
    const refused = await put(await connect(), { status: 'disconnected', status_reason: 'key_refused' });
    const ended = await connect();
    await client.rest('POST', `/integrations/${ended}/disconnect`);
    const ends = { connected_at: at(-30), expires_at: at(6) };
    const ending = await put(await connect(), ends);
    const failing = await put(await connect(), { ...ends, renew_at: at(1), renewal_failures: 2 });
    const renewed = await put(await connect(), { ...ends, renew_at: at(1) });
    const later = await put(await connect(), { ...ends, expires_at: at(8) });
    const shortLived = await put(await connect(), { connected_at: at(0), expires_at: at(0.5) });
    expect(await listed('needsAttention: true')).toEqual({ ids: [failing, ending, refused, expired], total: 4 });
    expect(await listed('needsAttention: true, status: EXPIRED')).toEqual({ ids: [expired], total: 1 });
    const all = (await listed('perPage: 100')).ids;
    expect(all).toEqual(expect.arrayContaining([connected, ended, renewed, later, shortLived]));
  });
});

describe('the type of an integration', () => {
  it('can be read by name and through the integration, and is NOT_FOUND if unknown', async () => {
    await connect();
    const query = 'query ($type: String!) { integrationType(type: $type) { type name auth configured } }';
    const known = { type: 'sandbox_api_key', name: expect.any(String), auth: 'API_KEY', configured: true };
    expect((await client.graphql(query, { type: 'sandbox_api_key' })).body.data.integrationType).toEqual(known);
    const { body } = await client.graphql(
      '{ integrations { items { integrationType { type name auth configured } } } }',
    );
    expect(body.data.integrations.items[0].integrationType).toEqual(known);
    const { errors } = (await client.graphql(query, { type: 'nonsense' })).body;
    expect(errors![0].extensions.code).toBe('NOT_FOUND');
  });

  it('is null if the service no longer offers it', async () => {
    await put(await connect(), { type: 'gone_app' });
    const { body } = await client.graphql('{ integrations { items { type integrationType { name } } } }');
    expect(body.data.integrations.items).toEqual([{ type: 'gone_app', integrationType: null }]);
  });
});

describe('Integration.workflows', () => {
  async function workflow(name: string, integration?: string, status = 'active'): Promise<string> {
    const { id } = (await client.rest('POST', '/workflows', { body: { name } })).body;
    const config = { integration_id: integration, method: 'GET', path: '/x' };
    const actions = integration === undefined ? [] : [{ name: 'a', kind: 'app_request', config }];
    await client.rest('PUT', `/workflows/${id}/actions`, { body: { actions } });
    await client.rest('PUT', `/workflows/${id}`, { body: { status } });
    return id;
  }
  const waitsFor = (workflow_id: string, config: object) =>
    client.rest('POST', '/triggers', { body: { workflow_id, type: 'app_event', config } });
  async function dependents(args = ''): Promise<Record<string, { ids: string[]; total: number }>> {
    const { body } = await client.graphql(
      `{ integrations { items { id workflows${args} { items { id } meta { total } } } } }`,
    );
    return Object.fromEntries(
      body.data.integrations.items.map(({ id, workflows }: any) => [
        id,
        { ids: workflows.items.map((item: { id: string }) => item.id), total: workflows.meta.total },
      ]),
    );
  }

  it('are those whose actions or triggers name it, newest first, without archived ones', async () => {
    const [one, two] = [await connect(), await connect()];
    const acting = await workflow('acting', one);
    await workflow('archived', one, 'archived');
    await workflow('idle');
    const other = await workflow('other', two);
    const waiting = await workflow('waiting', undefined, 'draft');
    await waitsFor(waiting, { event: 'item.created', integration_id: one });
    await waitsFor(acting, { event: 'item.created', integration_id: one });
    expect(await dependents()).toEqual({
      [one]: { ids: [waiting, acting], total: 2 },
      [two]: { ids: [other], total: 1 },
    });
    expect((await dependents('(page: 2, perPage: 1)'))[one]).toEqual({ ids: [acting], total: 2 });
  });

  it('include those whose event no other connection offers', async () => {
    const only = await connect();
    const waiting = await workflow('waiting');
    await waitsFor(waiting, { event: 'item.created' });
    expect(await dependents()).toEqual({ [only]: { ids: [waiting], total: 1 } });
    const second = await connect();
    expect(await dependents()).toEqual({ [only]: { ids: [], total: 0 }, [second]: { ids: [], total: 0 } });
    await client.rest('POST', `/integrations/${second}/disconnect`);
    expect((await dependents())[only]).toEqual({ ids: [waiting], total: 1 });
  });

  it('are forbidden for a connect session', async () => {
    const id = await connect();
    const { token } = (await client.rest('POST', '/connect_sessions', { body: { integration_id: id } })).body;
    const session = new Client(server.baseUrl, token as string);
    const { body } = await session.graphql(`{ integration(id: "${id}") { workflows { meta { total } } } }`);
    expect(body.errors![0].extensions.code).toBe('FORBIDDEN');
  });
});
