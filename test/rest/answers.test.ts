import { ROUTES } from '../../src/transports/rest/routes.js';
import { IntegrationWorld } from '../integrations/world.js';
import { type Answer, Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { RestDocument } from '../support/http/rest-document.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { startTestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { isForPersons, makeThings, type Sample, sampleRequests, type Things } from './openapi/sample-requests.js';
import { StillClock } from '../support/clock.js';

/**
 * Every status that the OpenAPI document names for a route is provoked once, and counted. That the answers are as the
 * document says in all else is what `Client.rest` sees to.
 */
const { operations } = new RestDocument();
const seen = new Map(operations.map(({ operationId }) => [operationId, new Set<number>()]));

let database: TestDatabase;
let proxy: TcpProxy;
let world: IntegrationWorld;
let client: Client;
let things: Things;
let samples: Sample[];

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
  world = await IntegrationWorld.open({
    database: { ...database, url: proxy.url },
    env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' },
  });
  client = world.client;
  things = await makeThings(client, world.server.db);
  samples = await sampleRequests(client, things);
});
afterAll(async () => {
  await world.close();
  await proxy.close();
  await database.drop();
});

const names = (status: number) => {
  const naming = new Set(
    operations.filter(({ statuses }) => statuses.includes(status)).map(({ operationId }) => operationId),
  );
  return samples.filter(({ route }) => naming.has(route.operation));
};
/** Routes for persons refuse every key before they look at anything else. */
const forKeys = ({ route }: Sample) => !isForPersons(route);
const sampleOf = (operation: string) => samples.find(({ route }) => route.operation === operation)!;

async function ask({ route, path, body }: Sample, status: number, code?: string, caller = client): Promise<Answer> {
  const answer = await caller.rest(route.method, path, body === undefined ? {} : { body });
  note(route.operation, answer, status, code);
  return answer;
}

function note(operation: string, answer: Answer, status: number, code: string | undefined): void {
  expect([operation, answer.status, answer.body?.code]).toEqual([operation, status, code]);
  seen.get(operation)!.add(status);
}

describe('every status of every route', () => {
  it('401: no authorization', async () => {
    for (const sample of samples) await ask(sample, 401, 'unauthorized', new Client(world.server.baseUrl));
  });

  it('403: the scope is too small, a person is needed, or it is beyond a connect session', async () => {
    const reader = new Client(world.server.baseUrl, await world.server.key('read-only'));
    const { body } = await client.rest('POST', '/connect_sessions');
    const browser = new Client(world.server.baseUrl, body.token as string);
    // The one route that is open to all who have any key or token.
    const refusing = samples.filter(({ route }) => route.operation !== 'ListIntegrationTypes');
    expect(names(403)).toEqual(refusing);
    for (const sample of refusing)
      await ask(sample, 403, 'forbidden', sample.route.method === 'GET' ? browser : reader);
  });

  it('404: the ids name nothing', async () => {
    const nothing = Object.fromEntries(
      Object.entries(things).map(([thing, id]) => [thing, id!.replace(/_.*/, '_01h455vb4pex5vsknk084sn02q')]),
    ) as Things;
    const operationsOf404 = new Set(names(404).map(({ route }) => route.operation));
    const unknown = (await sampleRequests(client, nothing)).filter(forKeys);
    for (const sample of unknown.filter(({ route }) => operationsOf404.has(route.operation))) {
      const connection = { type: 'sandbox_api_key', reference: 'nobody' };
      const isByReference = sample.body?.connection !== undefined;
      await ask(isByReference ? { ...sample, body: { ...sample.body, connection } } : sample, 404, 'not_found');
    }
  });

  it('413, 415 and 400: the body is too large, of another type, or no JSON', async () => {
    const faulty: [number, string, string, Record<string, string>][] = [
      [413, 'payload_too_large', JSON.stringify({ name: 'x'.repeat(102_400) }), {}],
      [415, 'unsupported_media_type', '{}', { 'content-type': 'text/plain' }],
      [400, 'invalid_json', '{', {}],
    ];
    for (const [status, code, body, headers] of faulty) {
      for (const { route, path } of names(status)
        .filter(forKeys)
        .filter((sample) => sample.route.method !== 'GET')) {
        note(route.operation, await client.rest(route.method, path, { body, headers }), status, code);
      }
    }
  });

  it('400: a query parameter is out of range, or given twice', async () => {
    for (const { route, path, parameters } of names(400).filter(forKeys)) {
      if (route.method !== 'GET') continue;
      const number = parameters.find(({ type }) => String(type).startsWith('Int'));
      const query = number === undefined ? 'x&x' : `${number.name}=x`;
      note(route.operation, await client.rest('GET', `${path}?${query}`), 400, 'validation_error');
    }
  });

  it('409, 422 and 502: the application, or what it says, is in the way', async () => {
    const { provider, server } = world;
    const credentials = { api_key: 'good' };
    const connect = (body: object) => ({ ...sampleOf('ConnectIntegration'), body: body as Record<string, unknown> });
    const { body } = await ask(connect({ type: 'key_app', credentials }), 201);
    const reconnect = {
      ...sampleOf('ReconnectIntegration'),
      path: `/integrations/${body.id}/reconnect`,
      body: { credentials },
    };

    for (const sample of [connect({ type: 'key_app', credentials }), reconnect]) {
      provider.onVerify = () => ({ status: 401 });
      await ask(sample, 422, 'invalid_credentials');
      provider.onVerify = () => ({ status: 500 });
      await ask(sample, 502, 'provider_unavailable');
    }
    provider.reset();
    const call = { method: 'POST', path: '/api', retries: 0 };
    const { body: used } = await ask(connect({ type: 'key_app', credentials, reference: 'caller' }), 201);
    provider.onCall = () => ({ isCut: true });
    for (const sample of [
      { ...sampleOf('CallIntegration'), path: `/integrations/${used.id}/call`, body: call },
      { ...sampleOf('CallConnection'), body: { ...call, connection: { type: 'key_app', reference: 'caller' } } },
    ]) {
      await ask(sample, 502, 'provider_unavailable');
    }
    provider.reset();
    await ask(connect({ type: 'google_calendar' }), 409, 'conflict');
    const withoutApps = await startTestServer({
      database: server.database,
      clock: server.clock,
      env: { ROLES: 'api' },
    });
    await ask(reconnect, 409, 'conflict', new Client(withoutApps.baseUrl, client.key));
    await withoutApps.close();
  });

  it('429: the key waits for 100 answers already', async () => {
    const { id } = await world.start();
    const sample = { ...sampleOf('GetIntegration'), path: `/integrations/${id}?wait=30` };
    const waits = Array.from({ length: 100 }, () => client.rest('GET', sample.path));
    await until(async () => /change_listeners 100$/m.test((await client.send<string>('GET', '/metrics')).body));
    await ask(sample, 429, 'rate_limited');
    await client.rest('POST', `/integrations/${id}/disconnect`);
    for (const { status } of await Promise.all(waits)) expect(status).toBe(200);
  });

  it('429: one key asks too often', async () => {
    const env = { ROLES: 'api', RATE_LIMITS: 'on', RATE_LIMIT_READ: '1', RATE_LIMIT_WRITE: '1' };
    const slow = await startTestServer({ database: world.server.database, clock: new StillClock(), env });
    const caller = new Client(slow.baseUrl, client.key);
    for (const { route, path, body } of names(429).filter(forKeys)) {
      let answer: Answer | undefined;
      // A burst of two, shared by all routes.
      for (let asked = 0; asked < 3 && answer?.status !== 429; asked += 1) {
        answer = await caller.rest(route.method, path, body === undefined ? {} : { body: { ...body, type: 'none' } });
      }
      note(route.operation, answer!, 429, 'rate_limited');
    }
    await slow.close();
  });

  it('422 and 409: an idempotency key is used with another body, and while the first request is in flight', async () => {
    const posts = samples.filter(forKeys).filter(({ route }) => route.method === 'POST');
    // A call needs the connection that another route disconnects.
    const isCall = ({ route }: Sample) => Number(route.operation.startsWith('Call'));
    for (const { route, path, body } of posts.sort((one, other) => isCall(other) - isCall(one))) {
      const repeat = (more: object = {}) =>
        client.rest('POST', path, { body: { ...body, ...more }, headers: { 'idempotency-key': route.operation } });
      expect(String((await repeat()).status)).toMatch(/^2/);
      note(route.operation, await repeat({ other: 1 }), 422, 'idempotency_mismatch');
      await world.server.db.query('UPDATE idempotency_keys SET status = NULL');
      note(route.operation, await repeat(), 409, 'idempotency_in_progress');
    }
  });

  it('304: the client has what it asks for', async () => {
    for (const { route, path } of names(304)) {
      const answer = await client.rest('GET', path, { headers: { 'if-none-match': '*' } });
      note(route.operation, answer, 304, undefined);
    }
  });

  it('410: the log of events does not have what a reader continues behind', async () => {
    for (const { route, path } of names(410)) {
      const answer = await client.rest('GET', `${path}?after=evt_01h455vb4pex5vsknk084sn02q`);
      note(route.operation, answer, 410, 'gone');
    }
  });

  it('412: what is set was made from another version', async () => {
    for (const { route, path, body } of names(412)) {
      const answer = await client.rest(route.method, path, {
        ...(body === undefined ? {} : { body }),
        headers: { 'if-match': '"none-of-these"' },
      });
      note(route.operation, answer, 412, 'precondition_failed');
    }
  });

  it('503: the database is away', async () => {
    const stranger = new Client(world.server.baseUrl, await world.server.key());
    proxy.cut();
    for (const sample of samples) await ask(sample, 503, 'unavailable', stranger);
    proxy.restore();
  });

  it('500: the database is not what we think', async () => {
    await world.server.db.query('ALTER TABLE api_keys RENAME TO lost');
    // What was known of a key is forgotten by then.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const sample of samples) await ask(sample, 500, 'internal_error');
    await world.server.db.query('ALTER TABLE lost RENAME TO api_keys');
  });

  it('2xx: all is well', async () => {
    const untouched = await makeThings(client, world.server.db);
    for (const { route } of samples.filter(forKeys)) {
      // What changes, each on things of its own, which the ones before have not deleted.
      const own = route.method === 'GET' ? untouched : await makeThings(client, world.server.db);
      const [fresh] = (await sampleRequests(client, own)).filter((sample) => sample.route === route);
      const expected = typeof route.status === 'number' ? route.status : route.status.IntegrationAuthorization!;
      await ask(fresh!, expected);
      // An account may have 50.
      if (own !== untouched) await client.rest('DELETE', `/webhooks/${own.webhook}`);
    }
  });
});

describe('the count', () => {
  /** Until persons can sign in, all that a key hears of managing keys is 401, 403, 500 and 503. */
  const forPersons = new Set(ROUTES.filter(isForPersons).map(({ operation }) => operation));

  it.each(
    operations.filter(({ operationId }) => !forPersons.has(operationId)).map((one) => [one.operationId, one] as const),
  )('of %s leaves nothing out', (operationId, { statuses }) => {
    expect([...seen.get(operationId)!].sort()).toEqual([...statuses].sort());
  });
});
