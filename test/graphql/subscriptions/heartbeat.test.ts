import { startTestServer, type TestServer } from '../../support/server.js';
import { EventReader } from './event-reader.js';
import { RawWebSocket } from './raw-websocket.js';
import { openStream } from '../transports.js';

describe('the heartbeat', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
  });
  afterAll(() => server.close());

  it('comes every 15 s, and a socket that does not answer it is closed 15 s later, though it sends pongs unasked', async () => {
    const key = await server.key();
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1_000;
    const [lively, silent, chatty] = [
      await RawWebSocket.open(server.ws(), key),
      await RawWebSocket.open(server.ws(), key, { autoPong: false }),
      await RawWebSocket.open(server.ws(), key, { autoPong: false }),
    ];
    const reader = new EventReader(
      await openStream(server, key, { query: 'subscription { integrationStatusChanged { id } }' }),
    );
    const pings: number[] = [];
    lively.on('ping', () => pings.push(seconds()));
    const chat = setInterval(() => chatty.pong(), 500);
    await reader.comment();

    await reader.comment();
    expect(seconds()).toBeGreaterThan(14);
    await lively.message(({ type }) => type === 'ping');

    for (const { closed } of [silent, chatty]) expect((await closed).code).toBe(1006);
    clearInterval(chat);
    expect(seconds()).toBeGreaterThan(29);
    await reader.comment();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(pings).toHaveLength(2);
    expect(lively.messages.filter(({ type }) => type === 'ping')).toHaveLength(2);
    lively.close();
    await lively.closed;
    await reader.cancel();
  });
});
