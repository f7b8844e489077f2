import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { RawWebSocket } from './subscriptions/raw-websocket.js';
import { openStream } from './transports.js';

/** Documents whose one root field is or may be left out: graphql-js takes some for valid, and throws at others. */
const LEFT_OUT: readonly (readonly [query: string, variables: object])[] = [
  ['subscription { integrationStatusChanged @skip(if: true) { id } }', {}],
  ['subscription { integrationStatusChanged @include(if: false) { id } }', {}],
  ['subscription ($x: Boolean!) { integrationStatusChanged @include(if: $x) { id } }', { x: true }],
  ['subscription { integrationStatusChanged @skip(if: 5) { id } }', {}],
  ['subscription { integrationStatusChanged @skip(if: null) { id } }', {}],
  ['subscription { integrationStatusChanged @include { id } }', {}],
  ['subscription { integrationStatusChanged @include(if: $unknown) { id } }', {}],
  ['subscription { ... @ # a comment\n skip(if: true) { integrationStatusChanged { id } } }', {}],
  ['subscription { ... { ...F @skip(if: true) } } fragment F on Subscription { integrationStatusChanged { id } }', {}],
  [
    'subscription { ...F } fragment F on Subscription { ... { ...F integrationStatusChanged @skip(if: true) { id } } }',
    {},
  ],
];

describe('the root field of a subscription', () => {
  let server: TestServer;
  let key: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
  });
  afterAll(() => server.close());

  it.each(LEFT_OUT)('can’t be left out over SSE or HTTP: 400 to %s', async (query, variables) => {
    const client = new Client(server.baseUrl, key);
    const search = new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString();
    const answers = [
      await client.send('POST', '/graphql/stream', { body: { query, variables } }),
      await client.send('GET', `/graphql/stream?${search}`),
      await client.send('POST', '/graphql', { body: { query, variables } }),
      await client.send('GET', `/graphql?${search}`),
      await client.graphql(`query Q { viewer { account { id } } } ${query.replace('subscription', 'subscription S')}`),
    ];
    for (const { status, body } of answers) {
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
      expect(body.errors[0].message).toMatch(/@(skip|include)/);
    }
    expect(server.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('can’t be left out over WebSocket: that subscription fails, the others and the socket stay', async () => {
    const socket = await RawWebSocket.open(server.ws(), key);
    for (const [index, [query, variables]] of LEFT_OUT.entries()) {
      socket.subscribe(`s${index}`, query, variables);
      const { type, payload } = await socket.message(({ id }) => id === `s${index}`);
      expect([type, payload[0].extensions.code]).toEqual(['error', 'GRAPHQL_VALIDATION_FAILED']);
    }
    socket.send({ type: 'ping' });
    await socket.message(({ type }) => type === 'pong');
    socket.close();
    await socket.closed;
  });

  it('may have fields that are left out below it, and fragments that go in circles are refused', async () => {
    const open = async (query: string): Promise<number> => {
      const ending = new AbortController();
      const { status } = await openStream(server, key, { query }, ending.signal);
      ending.abort();
      return status;
    };
    expect(await open('subscription { integrationStatusChanged { id @skip(if: true) version } }')).toBe(200);
    const circle = 'fragment A on Subscription { ...B } fragment B on Subscription { ...A }';
    expect(await open(`subscription { ...A integrationStatusChanged { id } } ${circle}`)).toBe(400);
  });
});
