import { connect } from 'node:net';
import { Client } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('a client that asks for a lot and reads nothing of the answers', () => {
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
    const body = { name: 'x'.repeat(255), description: 'y'.repeat(1_000) };
    await Promise.all(Array.from({ length: 100 }, () => client.rest('POST', '/workflows', { body })));
  });
  afterAll(() => server.close());

  it('is cut off after 40 s, and holds up nobody until then', async () => {
    const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.pause();
    const ask = `GET /v1/workflows?per_page=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}\r\n\r\n`;
    // Far more than the kernel's buffers hold of the answers.
    socket.write(ask.repeat(2_000));
    const asking = setInterval(() => void client.rest('GET', '/workflows?per_page=1'), 1_000);
    const started = performance.now();
    // A socket that is paused doesn't see its end: only a write finds out.
    const poking = setInterval(() => socket.write('\r\n'), 1_000);
    await closed;
    clearInterval(asking);
    clearInterval(poking);
    expect(performance.now() - started).toBeGreaterThan(30_000);
    expect((await client.rest('GET', '/workflows?per_page=1')).status).toBe(200);
    expect(server.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  }, 180_000);
});
