import { connect, type Socket } from 'node:net';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { gauge, produce } from './changes.js';
import { RawWebSocket } from './raw-websocket.js';
import { ended, received, StalledSocket } from './stalled-socket.js';

/** 15 times a text of 1,020 bytes: some 15 kB an event, so that the kernel's buffers are soon full. */
const HEAVY = `subscription { integrationStatusChanged { version integration { ${Array.from({ length: 15 }, (_, index) => `r${index}: reference`).join(' ')} } } }`;
const LIGHT = 'subscription { integrationStatusChanged { version } }';
const SUBSCRIPTIONS = 20;

describe('clients that stop reading', () => {
  let server: TestServer;
  let key: string;
  let id: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
    const { body } = await new Client(server.baseUrl, key).rest('POST', '/integrations/connect', {
      body: { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' }, reference: '𝒳'.repeat(255) },
    });
    id = body.id;
  });
  afterAll(() => server.close());

  /** Follows everything while another client does not read. @returns what `then` gives as soon as that one is ended. */
  async function whileStalled<T>(listening: number, events: number, then: () => Promise<T>): Promise<T> {
    const healthy = await RawWebSocket.open(server.ws(), key);
    healthy.subscribe('1', LIGHT);
    await until(async () => (await gauge(server, 'change_listeners')) === listening + 1);
    const end = until(async () => (await gauge(server, 'change_listeners')) === 1).then(then);
    for (let made = 0; made < events; made += 100) await produce(server, id, 100);
    const versions = () =>
      healthy.messages
        .filter(({ type }) => type === 'next')
        .map(({ payload }) => payload.data.integrationStatusChanged.version);
    await until(() => versions().length === events);
    expect(versions()).toEqual(Array.from({ length: events }, (_, index) => Number(versions()[0]) + index));
    await end;
    healthy.close();
    return end;
  }

  it('are closed with 1013 on a WebSocket, while the others receive everything', async () => {
    const stalled = await StalledSocket.open(server, key);
    for (let number = 0; number < SUBSCRIPTIONS; number += 1) stalled.subscribe(`${number}`, HEAVY);
    // A client that begins to read again within 5 s learns why.
    expect(await whileStalled(SUBSCRIPTIONS, 100, () => stalled.closeCode())).toBe(1013);
  });

  it('are cut on an event stream, while the others receive everything', async () => {
    const stalled = await stalledEventStream(server, key);
    // 18 MB, more than the kernel's buffers take.
    await whileStalled(1, 1_200, () => ended(stalled));
    expect(await gauge(server, 'event_streams')).toBe(0);
  });
});

async function stalledEventStream(server: TestServer, key: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
  const body = JSON.stringify({ query: HEAVY });
  socket.write(
    `POST /graphql/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  await received(socket, 'event-stream');
  return socket.pause();
}
