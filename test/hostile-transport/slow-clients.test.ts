import { connect, type Socket } from 'node:net';
import WebSocket from 'ws';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const SLOW = 600;
const WEBSOCKETS = 30;
const ASKED = 100;

/** A client that never finishes its request, and how it ended. */
interface SlowClient {
  text: string;
}

describe('600 clients that send a byte a second, or nothing', () => {
  let server: TestServer;
  let client: Client;
  const sockets: Socket[] = [];
  /** The kinds of closed clients, in order. */
  const closed: string[] = [];
  const dripping: NodeJS.Timeout[] = [];

  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(async () => {
    dripping.forEach((timer) => clearInterval(timer));
    sockets.forEach((socket) => socket.destroy());
    await server.close();
  });

  /** Sends `start` at once and then the rest, a character a second. */
  function slowly(kind: string, start: string, rest: string): SlowClient {
    const slow: SlowClient = { text: '' };
    const socket = connect(Number(new URL(server.baseUrl).port), 'localhost', () => socket.write(start));
    let sent = 0;
    const drip = setInterval(() => socket.writable && sent < rest.length && socket.write(rest[sent++]!), 1_000);
    dripping.push(drip);
    sockets.push(socket);
    socket.on('data', (data: Buffer) => (slow.text += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      closed.push(kind);
    });
    return slow;
  }

  it('do not delay other clients, and are all closed by the server’s timeouts', async () => {
    const auth = `Host: localhost\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\n`;
    const head = (path: string, length: string) => `POST ${path} HTTP/1.1\r\n${auth}${length}\r\n\r\n`;
    const kinds: [string, string, string][] = [
      ['nothing', '', ''],
      ['headers', '', `GET /v1/workflows HTTP/1.1\r\n${auth}\r\n`],
      ['headers', 'GET /v1/workflows HTTP/1.1\r\nHost: localhost\r\n', 'X'.repeat(100)],
      ['headers', 'GET /livez\r\n', ''],
      ['body', head('/v1/workflows', 'Content-Length: 100'), '{'.repeat(100)],
      ['body', head('/graphql', 'Content-Length: 100'), '{'.repeat(100)],
      ['body', head('/graphql/stream', 'Content-Length: 100'), '{'.repeat(100)],
      ['body', head(`/hooks/${'T'.repeat(43)}`, 'Content-Length: 100'), '{'.repeat(100)],
      ['body', head('/v1/workflows', 'Transfer-Encoding: chunked'), '1\r\nx\r\n'.repeat(100)],
      ['body', `${head('/v1/workflows', 'Content-Length: 15\r\nExpect: 100-continue')}{"name":`, ''],
    ];
    const slow = Array.from({ length: SLOW }, (_, index) => slowly(...kinds[index % kinds.length]!));
    const silent = Array.from({ length: WEBSOCKETS }, () => closeCode(server.ws()));
    await until(async () => sockets.every(({ connecting }) => !connecting));

    for (let asked = 0; asked < ASKED; asked += 1) expect((await client.rest('GET', '/workflows')).status).toBe(200);
    expect(await Promise.all(silent)).toEqual(Array(WEBSOCKETS).fill(4408));
    await until(() => closed.length === SLOW);
    // Headers have 5 s, a whole request has 15.
    expect(closed.lastIndexOf('headers')).toBeLessThan(closed.lastIndexOf('body'));
    for (const { text } of slow) expect(text).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?(HTTP\/1\.1 40[08] |$)/);
    expect(server.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

/** The code with which a WebSocket that says nothing is closed. */
async function closeCode(url: string): Promise<number> {
  const socket = new WebSocket(url, 'graphql-transport-ws');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', resolve);
  });
}
