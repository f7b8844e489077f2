import { createClient, type ExecutionResult, NetworkError } from 'graphql-sse';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { gauge, produce, revoke } from './changes.js';
import { EventReader } from './event-reader.js';
import { connectSandbox, openStream } from '../transports.js';
import { until } from '../../support/until.js';
import { LivedTime } from '../../support/lived-time.js';

const ACCOUNT = 'subscription { integrationStatusChanged { version } }';
const ONE = 'subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) { version reason } }';

type Change = ExecutionResult<{ integrationStatusChanged: { version: number } }>;

describe('subscriptions over server-sent events', () => {
  let server: TestServer;
  let key: string;
  let client: Client;
  let id: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
    client = new Client(server.baseUrl, key);
    id = await connectSandbox(server, key);
  });
  afterAll(() => server.close());

  const get = (parameters: Record<string, string>) =>
    fetch(`${server.baseUrl}/graphql/stream?${new URLSearchParams(parameters).toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    });

  describe('a stream', () => {
    it('begins at once with a comment, is not cached and not buffered by proxies', async () => {
      const response = await openStream(server, key, { query: ACCOUNT });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
        'content-encoding': 'none',
        'x-request-id': expect.any(String),
      });
      const reader = new EventReader(response);
      await reader.comment();
      await reader.cancel();
    });

    it('names what has no effect in its request, or refuses it', async () => {
      const request = { query: ACCOUNT, variables: { aftr: 'chg_1' }, variabels: {} };
      const response = await openStream(server, key, request);
      expect([response.status, response.headers.get('ignored-fields')]).toEqual([200, 'variabels, variables.aftr']);
      await new EventReader(response).cancel();
      const strict = { prefer: 'handling=strict' };
      const refused = await client.send('POST', '/graphql/stream', { body: JSON.stringify(request), headers: strict });
      expect([refused.status, refused.headers.get('preference-applied')]).toEqual([400, 'handling=strict']);
      expect(refused.body.errors[0].extensions.details).toEqual([
        { field: 'variabels', message: 'is unknown' },
        { field: 'variables.aftr', message: 'is unknown' },
      ]);
      expect((await get({ query: ONE, id: 'int_1', foo: '1' })).headers.get('ignored-fields')).toBe('id, foo');
    });

    it('gives results as `next` and ends with `complete`', async () => {
      const doomed = await connectSandbox(server, key);
      const reader = new EventReader(await openStream(server, key, { query: ONE, variables: { id: doomed } }));
      expect(await reader.next()).toEqual({
        event: 'next',
        data: { data: { integrationStatusChanged: { version: 1, reason: 'connected' } } },
      });
      await client.rest('DELETE', `/integrations/${doomed}`);
      expect(await reader.next()).toEqual({
        event: 'next',
        data: { data: { integrationStatusChanged: { version: 2, reason: 'deleted' } } },
      });
      expect(await reader.next()).toEqual({ event: 'complete', data: undefined });
      expect(await reader.next()).toBeUndefined();
    });

    it('takes a GET with its operation in the query', async () => {
      const reader = new EventReader(
        await get({
          query: `query Q { __typename } ${ONE.replace('subscription', 'subscription S')}`,
          operationName: 'S',
          variables: JSON.stringify({ id }),
        }),
      );
      expect((await reader.next())!.data.data.integrationStatusChanged.version).toBe(1);
      await reader.cancel();
    });

    it('sends an error of the subscription as its only result', async () => {
      const reader = new EventReader(await openStream(server, key, { query: ONE, variables: { id: 'int_nope' } }));
      expect(await reader.next()).toMatchObject({
        event: 'next',
        data: { errors: [{ path: ['integrationStatusChanged'], extensions: { code: 'NOT_FOUND' } }] },
      });
      expect((await reader.next())!.event).toBe('complete');
      expect(await reader.next()).toBeUndefined();
    });

    it('speaks with the library’s own client', async () => {
      const library = createClient({
        url: `${server.baseUrl}/graphql/stream`,
        headers: { authorization: `Bearer ${key}` },
      });
      const events = library.iterate({ query: ONE, variables: { id } }) as AsyncIterableIterator<Change>;
      const first: number = (await events.next()).value.data.integrationStatusChanged.version;
      await produce(server, id, 2);
      expect((await events.next()).value.data.integrationStatusChanged.version).toBe(first + 1);
      expect((await events.next()).value.data.integrationStatusChanged.version).toBe(first + 2);
      await events.return!();
      library.dispose();
      await until(async () => (await gauge(server, 'event_streams')) === 0);
      expect(await gauge(server, 'change_listeners')).toBe(0);
    });

    it('ends when its key is revoked, without `complete`', async () => {
      const doomed = await server.key();
      const reader = new EventReader(await openStream(server, doomed, { query: ACCOUNT }));
      await reader.comment();
      const time = new LivedTime();
      await revoke(server, doomed);
      expect(await reader.next()).toBeUndefined();
      expect(time.stop()).toBeLessThan(1_000);
    });
  });

  describe('what is no stream', () => {
    const refusal = async (response: Response) => {
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      const { errors } = (await response.json()) as { errors: any[] };
      return [response.status, errors[0].extensions.code];
    };

    it.each([undefined, 'Bearer nope', 'bearer x'])(
      'is 401 for the header %s, whatever else is wrong',
      async (authorization) => {
        for (const method of ['GET', 'POST', 'PUT']) {
          const response = await fetch(`${server.baseUrl}/graphql/stream`, {
            method,
            headers: authorization === undefined ? {} : { authorization },
            ...(method === 'GET' ? {} : { body: 'no json' }),
          });
          expect(response.headers.get('www-authenticate')).toBe('Bearer');
          expect(await refusal(response)).toEqual([401, 'UNAUTHORIZED']);
        }
      },
    );

    it.each(['PUT', 'DELETE', 'PATCH'])('is 405 for %s: there is no single connection mode', async (method) => {
      const { status, headers } = await client.send(method, '/graphql/stream');
      expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
    });

    it.each([
      ['a syntax error', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
      ['an unknown field', { query: 'subscription { nope }' }, 'GRAPHQL_VALIDATION_FAILED'],
      ['a query', { query: '{ viewer { account { id } } }' }, 'BAD_REQUEST'],
      ['a mutation', { query: 'mutation { deleteWorkflow(id: "wf_x") }' }, 'BAD_REQUEST'],
      [
        'a query beside the subscription',
        { query: `query Q { __typename } ${ACCOUNT.replace('{', 'S {')}`, operationName: 'Q' },
        'BAD_REQUEST',
      ],
      ['an operation that is not there', { query: ACCOUNT, operationName: 'Nope' }, 'OPERATION_RESOLUTION_FAILURE'],
      ['no query', {}, 'BAD_REQUEST'],
      ['a query that is a number', { query: 1 }, 'BAD_REQUEST'],
      ['variables that are a list', { query: ACCOUNT, variables: [] }, 'BAD_REQUEST'],
      ['an operation name that is a number', { query: ACCOUNT, operationName: 1 }, 'BAD_REQUEST'],
      ['null', 'null', 'BAD_REQUEST'],
      ['no JSON', '{', 'INVALID_JSON'],
    ])('is 400 for %s', async (_what, body, code) => {
      expect(await refusal(await openStream(server, key, body))).toEqual([400, code]);
    });

    it('is 400 for variables in the address that are no JSON', async () => {
      expect(await refusal(await get({ query: ACCOUNT, variables: '{' }))).toEqual([400, 'BAD_REQUEST']);
    });

    it('is 415 for another media type', async () => {
      const response = await fetch(`${server.baseUrl}/graphql/stream`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
        body: JSON.stringify({ query: ACCOUNT }),
      });
      expect(await refusal(response)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    });

    it('is 503 with Retry-After while it can’t begin, so that clients come again', async () => {
      const lock = server.db.source.createQueryRunner();
      await lock.startTransaction();
      await lock.query('LOCK TABLE integrations IN ACCESS EXCLUSIVE MODE');
      const response = await openStream(server, key, { query: ONE, variables: { id } });
      await lock.rollbackTransaction();
      await lock.release();
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await refusal(response)).toEqual([503, 'UNAVAILABLE']);
    });

    it('reaches the library’s client with its status', async () => {
      const library = createClient({
        url: `${server.baseUrl}/graphql/stream`,
        headers: { authorization: 'Bearer nope' },
        retryAttempts: 0,
      });
      const events = library.iterate({ query: ACCOUNT });
      const error = await events.next().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(NetworkError);
      expect((error as NetworkError<Response>).response!.status).toBe(401);
      library.dispose();
    });

    it('leaves no listener', async () => {
      await until(async () => (await gauge(server, 'event_streams')) === 0);
      expect(await gauge(server, 'change_listeners')).toBe(0);
    });
  });
});

describe('a server that stops', () => {
  it('ends its streams, without `complete`, so that clients come back elsewhere', async () => {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    const reader = new EventReader(await openStream(server, await server.key(), { query: ACCOUNT }));
    await reader.comment();
    const stopped = server.close();
    expect(await reader.next()).toBeUndefined();
    await stopped;
  });
});
