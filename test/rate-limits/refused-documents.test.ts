import { RateLimits } from '../../src/platform/admission/rate-limits.js';
import { connectSandbox, TRANSPORTS } from '../graphql/transports.js';
import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const HELD_MS = 300;

describe('the refusal of a document', () => {
  const { delayOfFault } = RateLimits.prototype;
  let server: TestServer;
  let key: string;
  let id: string;
  let held: string[] = [];

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
    id = await connectSandbox(server, key);
    RateLimits.prototype.delayOfFault = (accountId) => {
      held.push(accountId);
      return HELD_MS;
    };
  });
  beforeEach(() => (held = []));
  afterAll(async () => {
    RateLimits.prototype.delayOfFault = delayOfFault;
    await server.close();
  });

  it.each(TRANSPORTS)('is held back over $name, and nothing else is', async ({ on, ask }) => {
    const began = performance.now();
    const { errors } = await ask(server, key, on('nothing'), { id });
    expect(errors![0]!.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(performance.now() - began).toBeGreaterThan(HELD_MS - 10);
    expect(held).toHaveLength(1);
    expect((await ask(server, key, on('id'), { id })).errors).toBeUndefined();
    expect(held).toHaveLength(1);
  });

  it('is held back if its variables are refused, too', async () => {
    const [{ on, ask }] = TRANSPORTS as [(typeof TRANSPORTS)[0]];
    const { status } = await ask(server, key, on('id', '$more: Int'), { id, more: 'x' });
    expect([status, held.length]).toEqual([400, 1]);
  });

  it('lets the next messages of its socket wait', async () => {
    const socket = await RawWebSocket.open(server.ws(), key);
    const { on } = TRANSPORTS.find(({ name }) => name === 'WebSocket')!;
    socket.subscribe('refused', on('nothing'), { id });
    await until(() => held.length === 1);
    socket.send({ type: 'ping' });
    await socket.message(({ type }) => type === 'error');
    socket.subscribe('next', on('id'), { id });
    await socket.message(({ type }) => type === 'next');
    expect(socket.messages.map(({ type }) => type)).toEqual(['connection_ack', 'error', 'pong', 'next']);
    socket.close();
  });
});
