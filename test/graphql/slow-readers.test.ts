import { connect, type Socket } from 'node:net';
import { Client } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { gauge, produce } from './changes.js';
import { RawWebSocket } from './raw-websocket.js';
import { until } from '../support/until.js';
import { LivedTime } from '../support/lived-time.js';

/** 15 times a text of 1,020 bytes: some 15 kB an event, so that the kernel's buffers are soon full. */
const HEAVY = `subscription { integrationStatusChanged { version integration { ${Array.from({ length: 15 }, (_, index) => `r${index}: reference`).join(' ')} } } }`;
const LIGHT = 'subscription { integrationStatusChanged { version } }';
const EVENTS = 1_200;

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

  it('are ended, the WebSocket with 1013, while the others hear everything', async () => {
    const stalledSocket = await stalledWebSocket(server, key);
    const stalledStream = await stalledEventStream(server, key);
    const healthy = await RawWebSocket.open(server.ws(), key);
    healthy.subscribe('1', LIGHT);
    await until(async () => (await gauge(server, 'change_listeners')) === 3);

    for (let made = 0; made < EVENTS; made += 100) await produce(server, id, 100);
    const versions = () =>
      healthy.messages
        .filter(({ type }) => type === 'next')
        .map(({ payload }) => payload.data.integrationStatusChanged.version);
    await until(() => versions().length === EVENTS);
    expect(versions()).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 2));

    await until(async () => (await gauge(server, 'change_listeners')) === 1);
    expect(await gauge(server, 'event_streams')).toBe(0);
    expect(await closeCodeOf(stalledSocket)).toBe(1013);
    await ended(stalledStream);

    await produce(server, id, 1);
    await until(() => versions().length === EVENTS + 1);
    healthy.close();
  });

  it('of the answers to their own messages are ended before a heartbeat misses them', async () => {
    const time = new LivedTime();
    const socket = await handshake(server);
    const pings = Buffer.concat(Array.from({ length: 500 }, () => frame('{"type":"ping"}')));
    // The small answers fit the kernel's buffers for long: only what doesn't is counted.
    let open = true;
    socket.once('close', () => (open = false));
    socket.pause();
    const flood = setInterval(() => socket.write(pings), 1);
    await until(async () => (await gauge(server, 'websocket_connections')) === 0);
    clearInterval(flood);
    expect(time.stop()).toBeLessThan(14_000);
    socket.resume();
    await until(() => !open);
  });
});

async function stalledWebSocket(server: TestServer, key: string): Promise<Socket> {
  const socket = await handshake(server);
  socket.write(frame(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } })));
  await received(socket, 'connection_ack');
  socket.pause();
  socket.write(frame(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: HEAVY } })));
  return socket;
}

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

/** A WebSocket by hand, since libraries read whatever comes. */
async function handshake(server: TestServer): Promise<Socket> {
  const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
  socket.on('error', () => undefined);
  socket.write(
    `GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
  );
  await received(socket, '101 Switching Protocols');
  return socket;
}

/** A text as a client's frame, under a mask of zeros (RFC 6455, 5.2). */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
}

async function received(socket: Socket, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const read = (data: Buffer): void => {
      if (!data.toString('latin1').includes(text)) return;
      socket.off('data', read);
      resolve();
    };
    socket.on('data', read);
  });
}

/** Reads what was left unread, frame by frame, to the close frame. */
async function closeCodeOf(socket: Socket): Promise<number | undefined> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await ended(socket);
  let rest = Buffer.concat(chunks);
  for (;;) {
    if (rest.length < 2) return undefined;
    const short = rest[1]! & 0x7f;
    const [start, length] =
      short === 126 ? [4, rest.readUInt16BE(2)] : short === 127 ? [10, Number(rest.readBigUInt64BE(2))] : [2, short];
    if ((rest[0]! & 0x0f) === 8) return rest.readUInt16BE(start);
    rest = rest.subarray(start + length);
  }
}

async function ended(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}
