import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** The idle timeout of 40 s, twice: Node checks for progress only when the timeout has passed. */
const CUT_MS = 90_000;
/** The burst of reads of a key. */
const BURST = 200;

describe('a client that sends many requests and reads no response', () => {
  let server: TestServer;
  let client: Client;
  let other: Client;

  beforeAll(async () => {
    server = await startTestServer({ env: { RATE_LIMITS: 'on' } });
    client = new Client(server.baseUrl, await server.key());
    other = new Client(server.baseUrl, await server.key());
    const body = { name: 'x'.repeat(255), description: 'y'.repeat(1_000) };
    await Promise.all(Array.from({ length: 100 }, () => client.rest('POST', '/workflows', { body })));
  });
  afterAll(() => server.close());

  it('is disconnected within 80 s, and delays no other client until then', async () => {
    const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.pause();
    const ask = `GET /v1/workflows?per_page=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}\r\n\r\n`;
    // About 26 MB of responses: more than the kernel's buffers hold.
    socket.write(ask.repeat(BURST));
    const until = performance.now() + CUT_MS;
    while (performance.now() < until) {
      expect((await other.rest('GET', '/workflows?per_page=1')).status).toBe(200);
      await sleep(1_000);
    }
    // A socket that is paused doesn't see its end: a write meets with a reset, and the one after that finds out.
    const poking = setInterval(() => socket.write('\r\n'), 100);
    await closed;
    clearInterval(poking);
    expect(server.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
