import { type TestServer, startTestServer } from '../support/server.js';
import { gauge, produce } from './subscriptions/changes.js';
import { EventReader } from './subscriptions/event-reader.js';
import { RawWebSocket } from './subscriptions/raw-websocket.js';
import { connectSandbox, openStream } from './transports.js';
import { until } from '../support/until.js';

const QUERY = `subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) {
  version integration { triggers { meta { total } } history { meta { total } } } } }`;
const CROWD = 100;
/** On a busy machine the jobs of the service send a statement beside most events, not beside all. */
const ROUNDS = 8;

describe('an event of many subscribers', () => {
  let server: TestServer;
  let key: string;
  let id: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
  });
  beforeEach(async () => {
    id = await connectSandbox(server, key);
  });
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.terminate();
    await until(async () => (await gauge(server, 'change_listeners')) === 0);
  });
  afterAll(() => server.close());

  const opened: RawWebSocket[] = [];
  const open = async (secret = key): Promise<RawWebSocket> => {
    const socket = await RawWebSocket.open(server.ws(), secret);
    opened.push(socket);
    return socket;
  };

  /** Subscribes, and waits for the first result: from then on events are heard as they commit. */
  const listen = async (socket: RawWebSocket, name = '1', query = QUERY): Promise<void> => {
    socket.subscribe(name, query, { id });
    await socket.message((message) => message.id === name);
  };
  const results = ({ messages }: RawWebSocket) => messages.filter(({ type }) => type === 'next');

  /** The cost of the next event, which every socket receives. */
  const costOf = async (sockets: RawWebSocket[]): Promise<{ executions: number; statements: number }> => {
    const told = sockets.map((socket) => results(socket).length);
    const executions = await gauge(server, 'event_executions');
    const before = server.db.statements;
    await produce(server, id, 1);
    await until(() => sockets.every((socket, index) => results(socket).length > told[index]!));
    const statements = server.db.statements - before;
    return { executions: (await gauge(server, 'event_executions')) - executions, statements };
  };
  /** What others do beside is in some of them only. */
  const least = async (sockets: RawWebSocket[]) => {
    const costs = [];
    for (let round = 0; round < ROUNDS; round += 1) costs.push(await costOf(sockets));
    return {
      executions: costs.map(({ executions }) => executions),
      statements: Math.min(...costs.map((c) => c.statements)),
    };
  };

  it(`costs as many statements for ${CROWD} as for one, and one execution`, async () => {
    const one = await open();
    await listen(one);
    const alone = await least([one]);
    const others = await Promise.all(Array.from({ length: CROWD - 1 }, () => open()));
    await Promise.all(others.map((socket) => listen(socket)));
    const together = await least([one, ...others]);
    // The hint to other processes is sent beside the event, so it counts or not.
    expect(together.statements).toBeLessThanOrEqual(alone.statements + 1);
    expect(together.executions).toEqual(Array(ROUNDS).fill(1));
  });

  it('comes as the same JSON under each subscription’s own id, over WebSocket and SSE', async () => {
    const ids = ['1', 'ä"\\\n', 'x'.repeat(255)];
    const socket = await open();
    for (const each of ids) await listen(socket, each);
    const reader = new EventReader(await openStream(server, key, { query: QUERY, variables: { id } }));
    await reader.next();
    socket.messages.length = 0;
    const executions = await gauge(server, 'event_executions');
    await produce(server, id, 1);
    const { data } = (await reader.next())!;
    expect(data.data.integrationStatusChanged.version).toBe(2);
    await until(() => results(socket).length === 3);
    expect(results(socket).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))).toEqual(
      ids.map((each) => ({ id: each, type: 'next', payload: data })),
    );
    expect((await gauge(server, 'event_executions')) - executions).toBe(1);
    await reader.cancel();
  });

  it('shows each what its key may see', async () => {
    const query = `subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) {
      version integration { eventsSecret } } }`;
    const keys = [key, await server.key('read-only'), await server.key(), await server.key('read-only')];
    const sockets = await Promise.all(keys.map((each) => open(each)));
    await Promise.all(sockets.map((socket) => listen(socket, '1', query)));
    const executions = await gauge(server, 'event_executions');
    await produce(server, id, 1);
    await until(() => sockets.every((socket) => results(socket).length === 2));
    expect((await gauge(server, 'event_executions')) - executions).toBe(2);
    const secrets = sockets.map((socket) => results(socket)[1].payload.data.integrationStatusChanged.integration);
    const [secret] = secrets;
    expect(typeof secret.eventsSecret).toBe('string');
    expect(secrets).toEqual([secret, { eventsSecret: null }, secret, { eventsSecret: null }]);
  });

  it('is measured against the limits although its document is known', async () => {
    const query = `subscription ($size: Int!) { integrationStatusChanged {
      integration { triggers(perPage: $size) { items { workflow { triggers(perPage: 100) { meta { total } } } } } } } }`;
    const socket = await open();
    socket.subscribe('small', query, { size: 50 });
    await until(async () => (await gauge(server, 'change_listeners')) === 1);
    socket.subscribe('large', query, { size: 51 });
    const { type, payload } = await socket.message(({ id: each }) => each === 'large');
    expect([type, payload[0].extensions.code]).toEqual(['error', 'GRAPHQL_VALIDATION_FAILED']);
  });
});
