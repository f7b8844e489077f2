import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { IntegrationWorld } from '../integrations/world.js';
import { makeThings, sampleRequests } from '../rest/openapi/sample-requests.js';
import { type Client } from '../support/http/client.js';

const LEVELS = 20_000;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const DEEP = nested(LEVELS);
const DEEP_OBJECT = '{"a":'.repeat(LEVELS / 2) + '1' + '}'.repeat(LEVELS / 2);
const SUBSCRIPTION = 'subscription ($id: ID) { integrationStatusChanged(integrationId: $id) { id } }';

let world: IntegrationWorld;
let client: Client;

beforeAll(async () => {
  world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
  client = world.client;
});
afterAll(() => world.close());
beforeEach(() => world.provider.reset());
afterEach(async () => {
  expect((await client.rest('GET', '/workflows')).status).toBe(200);
  expect(world.server.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

/** The response to a body that `Client` itself could not serialize. */
async function send(method: string, path: string, body: string): Promise<{ status: number; body: any }> {
  const headers = { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' };
  const response = await fetch(client.baseUrl + path, { method, headers, body });
  return { status: response.status, body: await response.json() };
}

/** An object with a deep value added to its fields. */
const withDeep = (body: object, field: string, deep: string): string =>
  `${JSON.stringify(body).replace(/\}$/, Object.keys(body).length > 0 ? ',' : '')}${JSON.stringify(field)}:${deep}}`;

describe('JSON that is nested 20,000 levels deep', () => {
  it('is refused by every route that takes a body: 400', async () => {
    const samples = await sampleRequests(client, await makeThings(client, world.server.db));
    const answers: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const { route, path, body } of samples) {
      if (body === undefined || route.method === 'DELETE') continue;
      for (const [kind, deep] of Object.entries({ lists: DEEP, objects: DEEP_OBJECT })) {
        const [field] = [...Object.keys(body), 'config'];
        for (const text of [withDeep(body, 'unknown', deep), withDeep({}, field, deep), deep]) {
          const answer = await send(route.method, `/v1${path}`, text);
          const name = `${route.operation} ${kind}`;
          answers[name] ??= answer.body.code;
          // Routes for users refuse keys before they read the body.
          expect([400, 403]).toContain(answer.status);
          expected[name] ??= answer.status === 403 ? 'forbidden' : 'validation_error';
        }
      }
    }
    expect(answers).toEqual(expected);
    expect(Object.values(answers).filter((code) => code === 'validation_error').length).toBeGreaterThan(10);
  });

  it('is refused by inbound hooks: 400', async () => {
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const trigger = { workflow_id: workflow.id, type: 'webhook' };
    const hook = new URL((await client.rest('POST', '/triggers', { body: trigger })).body.webhook_url as string)
      .pathname;
    for (const body of [DEEP, DEEP_OBJECT, '['.repeat(1_000_000)]) {
      expect(await send('POST', hook, body)).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    }
  });

  it.each(['/graphql', '/graphql/stream'])(
    'is refused by %s, in variables, extensions and as the body',
    async (path) => {
      const query = path === '/graphql' ? 'query ($id: ID!) { integration(id: $id) { id } }' : SUBSCRIPTION;
      for (const body of [
        withDeep({ query }, 'variables', `{"id":${DEEP}}`),
        withDeep({ query }, 'variables', DEEP_OBJECT),
        withDeep({ query }, 'extensions', DEEP_OBJECT),
        DEEP,
      ]) {
        const answer = await send('POST', path, body);
        expect(answer.status).toBe(400);
        expect(answer.body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
      }
    },
  );

  it.each(['/graphql', '/graphql/stream'])('is refused by %s as a literal or a selection', async (path) => {
    const root = path === '/graphql' ? 'query' : 'subscription';
    for (const query of [
      `${root} { integrationStatusChanged(integrationId: ${DEEP}) { id } }`,
      `${root} { integrationStatusChanged(integrationId: ${'{a:'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}) { id } }`,
      `${root} ${'{a'.repeat(LEVELS)}${'}'.repeat(LEVELS)}`,
      `${root} ($a: ${'['.repeat(LEVELS)}Int${']'.repeat(LEVELS)}) { a }`,
    ]) {
      const answer = await send('POST', path, JSON.stringify({ query }));
      expect([answer.status, answer.body.errors.length]).toEqual([400, 1]);
    }
  });

  it('is refused on a WebSocket: the socket closes; the subscription alone fails with fewer levels', async () => {
    const socket = await RawWebSocket.open(world.server.ws(), client.key);
    socket.send(
      withDeep(
        { id: '1', type: 'subscribe' },
        'payload',
        withDeep({ query: SUBSCRIPTION }, 'variables', `{"id":${nested(1_000)}}`),
      ),
    );
    const { type, payload } = await socket.message(({ id }) => id === '1');
    expect([type, payload[0].extensions.code]).toEqual(['error', 'VALIDATION_ERROR']);
    socket.subscribe('2', `subscription { integrationStatusChanged(integrationId: ${'['.repeat(LEVELS)}) { id } }`);
    expect((await socket.message(({ id }) => id === '2')).type).toBe('error');
    const variables = withDeep({ query: SUBSCRIPTION }, 'variables', `{"id":${DEEP}}`);
    socket.send(withDeep({ id: '3', type: 'subscribe' }, 'payload', variables));
    expect((await socket.closed).code).toBe(4400);

    const fresh = await RawWebSocket.open(world.server.ws());
    fresh.send(withDeep({ type: 'connection_init' }, 'payload', withDeep({}, 'authorization', DEEP)));
    expect((await fresh.closed).code).toBe(4400);
    const odd = await RawWebSocket.open(world.server.ws());
    odd.send(DEEP);
    expect((await odd.closed).code).toBe(4400);
  });

  it('is garbage from a token endpoint: the flow fails, and a renewal is tried again', async () => {
    const deepAnswer = {
      body: withDeep({ access_token: 'a', token_type: 'Bearer', expires_in: 3_600 }, 'extra', DEEP),
    };
    const id = await world.connected();
    world.provider.onToken = () => deepAnswer;
    const flow = await world.start();
    await world.callback({ state: flow.state, code: 'alice' });
    expect(await world.get(flow.id)).toMatchObject({ status: 'disconnected', status_reason: 'exchange_failed' });
    await world.server.advance(3_600_000);
    expect((await world.post(`/integrations/${id}/test`)).body).toEqual({ ok: false, reason: 'provider_unavailable' });
    expect((await world.get(id)).status).toBe('connected');
  });

  it('is garbage from an identity endpoint: the flow fails', async () => {
    world.provider.onIdentity = () => ({ body: withDeep({ data: { id: 'alice' } }, 'extra', DEEP) });
    const flow = await world.start();
    await world.callback({ state: flow.state, code: 'alice' });
    expect(await world.get(flow.id)).toMatchObject({ status: 'disconnected', status_reason: 'verification_failed' });
  });
});
