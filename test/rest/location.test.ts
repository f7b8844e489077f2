import { ROUTES } from '../../src/transports/rest/routes.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { signedIn } from '../support/worlds/people.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const isCreating = ({ status }: (typeof ROUTES)[number]) => [status, ...Object.values(status)].includes(201);

it('every route that creates says where', () => {
  const silent = ROUTES.filter((route) => isCreating(route) && route.location === undefined);
  expect(silent.map(({ operation }) => operation)).toEqual([]);
});

describe('Location', () => {
  it('is the absolute URL of what was created, also in a stored response', async () => {
    const create = () =>
      client.rest('POST', '/workflows', { body: { name: 'w' }, headers: { 'idempotency-key': 'located' } });
    const [first, again] = [await create(), await create()];
    const url = `${server.baseUrl}/v1/workflows/${first.body.id}`;
    expect([first.headers.get('location'), again.headers.get('location')]).toEqual([url, url]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('leads to the new workflow, trigger, run, retry, webhook and integration', async () => {
    const made = async (path: string, body: object = {}) => {
      const answer = await client.rest('POST', path, { body });
      const location = answer.headers.get('location')!;
      const found = await client.rest('GET', new URL(location).pathname.slice('/v1'.length));
      expect([path, answer.status, found.status, found.body.id]).toEqual([path, 201, 200, answer.body.id]);
      return answer.body.id as string;
    };
    const workflow_id = await made('/workflows', { name: 'w', status: 'active' });
    await made('/triggers', { workflow_id, type: 'manual' });
    const actions = [{ name: 'a', kind: 'http_request', config: { method: 'GET', url: 'http://127.0.0.1:1/' } }];
    await client.rest('PUT', `/workflows/${workflow_id}/actions`, { body: { actions } });
    const run = await made(`/workflows/${workflow_id}/runs`);
    await client.rest('POST', `/runs/${run}/cancel`);
    await client.rest('GET', `/runs/${run}?wait=30`);
    await made(`/runs/${run}/retry`);
    await made('/webhooks', { url: 'http://127.0.0.1:1/', events: ['run.failed'] });
    await made('/integrations/connect', { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } });
  });

  it('names a connect session without its token, and a key by the URL at which it is revoked', async () => {
    const session = await client.rest('POST', '/connect_sessions', { body: { type: 'sandbox_oauth' } });
    expect(session.headers.get('location')).toBe(`${server.baseUrl}/v1/connect_sessions/${session.body.id}`);
    const { client: person } = await signedIn(server);
    const key = await person.rest('POST', '/api_keys', { body: { label: 'k', scope: 'read-only' } });
    const { pathname } = new URL(key.headers.get('location')!);
    expect((await person.rest('DELETE', pathname.slice('/v1'.length))).status).toBe(204);
  });

  it('is absent where nothing was created', async () => {
    const { status, headers } = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    expect([status, headers.get('location')]).toEqual([200, null]);
  });
});

describe('the served OpenAPI document', () => {
  it('has the absolute address of the service', async () => {
    const document = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as { servers: unknown };
    expect(document.servers).toEqual([{ url: `${server.baseUrl}/v1` }]);
  });
});
