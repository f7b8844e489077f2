import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { StillClock } from '../support/clock.js';

/** Everything that only the service sets, in REST's and in GraphQL's spelling. */
const OWN = {
  id: 'wf_01h455vb4pex5vsknk084sn02q',
  uuid: '00000000-0000-7000-8000-000000000000',
  account_id: 'acc_01h455vb4pex5vsknk084sn02q',
  accountId: '00000000-0000-7000-8000-000000000000',
  created_at: '2001-01-01T00:00:00.000Z',
  createdAt: '2001-01-01T00:00:00.000Z',
  updated_at: '2001-01-01T00:00:00.000Z',
  run_count: 99,
  runCount: 99,
  totalRuns: 99,
  webhook_url: 'https://evil.example/hook',
  hook_token: 'x',
  version: 9,
  connected_at: '2001-01-01T00:00:00.000Z',
  expires_at: '2001-01-01T00:00:00.000Z',
  scope: 'read-write',
  input: 5,
  result: {},
};

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ clock: new StillClock() });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const make = async (path: string, body: object) => client.rest('POST', path, { body: { ...OWN, ...body } });

describe('what only the service sets', () => {
  it('is ignored in a new workflow', async () => {
    const { status, body } = await make('/workflows', { name: 'x' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'draft', run_count: 0, updated_at: body.created_at });
    expect(body.id).not.toBe(OWN.id);
    expect(body.created_at).toBe(server.clock.now().toISOString());
    expect((await client.rest('GET', `/workflows/${body.id}`)).body).toEqual({ ...body, failure_notice_after: 3 });
  });

  it('is ignored in a change of a workflow: the id of the path counts', async () => {
    const [one, two] = [
      (await make('/workflows', { name: 'one' })).body,
      (await make('/workflows', { name: 'two' })).body,
    ];
    const { body } = await client.rest('PUT', `/workflows/${one.id}`, { body: { ...OWN, id: two.id, name: 'new' } });
    expect(body).toEqual({ ...one, name: 'new', updated_at: body.updated_at });
    expect(body.updated_at).not.toBe(OWN.updated_at);
    expect((await client.rest('GET', `/workflows/${two.id}`)).body).toEqual({ ...two, failure_notice_after: 3 });
    await client.rest('DELETE', `/workflows/${one.id}`, { body: { id: two.id } });
    expect((await client.rest('GET', `/workflows/${two.id}`)).status).toBe(200);
  });

  it('is ignored in a trigger, its status and workflow too', async () => {
    const [one, two] = [
      (await make('/workflows', { name: 'one' })).body,
      (await make('/workflows', { name: 'two' })).body,
    ];
    const { status, body } = await make('/triggers', { workflow_id: one.id, type: 'manual', status: 'paused' });
    expect([status, body.status, body.config, 'webhook_url' in body]).toEqual([201, 'active', {}, false]);
    expect(body.created_at).not.toBe(OWN.created_at);
    const change = { ...OWN, workflow_id: two.id, type: 'webhook' };
    expect((await client.rest('PUT', `/triggers/${body.id}`, { body: change })).body).toEqual(body);
  });

  it('is ignored in a connection', async () => {
    const { status, body } = await make('/integrations/connect', {
      type: 'sandbox_api_key',
      name: 'chosen',
      status: 'expired',
      credentials: { api_key: 'sandbox_valid_key' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'sandbox_api_key', status: 'connected', expires_at: null });
    expect(body.id).toMatch(/^int_/);
    expect(body.connected_at).not.toBe(OWN.connected_at);
  });

  it('is ignored in a query', async () => {
    const other = new Client(server.baseUrl, await server.key('read-write', 'other'));
    const [account] = await server.db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = 'default'`);
    const query = `?account_id=${account!.id}&accountId=${account!.id}&account=default`;
    for (const path of ['/workflows', '/triggers', '/integrations', '/runs']) {
      expect((await other.rest('GET', path + query)).body).toMatchObject({ data: [], meta: { total: 0 } });
    }
  });
});
