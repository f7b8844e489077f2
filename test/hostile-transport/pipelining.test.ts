import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lingerAfter } from '../../src/platform/http/inbound/lingering-close.js';
import { MAX_PIPELINED } from '../../src/transports/gateway/pipelines.js';
import { Client } from '../support/http/client.js';
import { exchange } from '../support/http/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ env: { RATE_LIMITS: 'on' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const headOf = (method: string, path: string, length: number, key = client.key!) =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('requests that do not wait for the responses of their connection', () => {
  it('are handled one after another', async () => {
    const body = JSON.stringify({ name: 'pipelined' });
    const { text } = await exchange(
      server.baseUrl,
      `${headOf('POST', '/v1/workflows', body.length)}${body}${headOf('GET', '/v1/workflows', 0)}`,
      2,
    );
    expect(text.split('HTTP/1.1 200')[1]).toContain('"pipelined"');
  });

  it('are not handled beyond a number, and the connection ends', async () => {
    const all = headOf('GET', '/v1/workflows', 0).repeat(1_000);
    const { statuses, text, closed } = await exchange(server.baseUrl, all, 1_000);
    expect(closed).toBe(true);
    // A first part of them may come alone.
    expect(statuses.length).toBeGreaterThan(MAX_PIPELINED);
    expect(statuses.length).toBeLessThan(3 * MAX_PIPELINED);
    expect(text.match(/connection: close/gi)).toHaveLength(1);
  });

  it('are not handled behind one that Node refuses by itself', async () => {
    const body = JSON.stringify({ name: 'behind a refusal' });
    const refused = 'GET / HTTP/1.1\r\n\r\n';
    const all = `${headOf('GET', '/v1/workflows', 0)}${refused}${headOf('POST', '/v1/workflows', body.length)}${body}`;
    const { statuses, closed } = await exchange(server.baseUrl, all, 3);
    expect([statuses, closed]).toEqual([[200, 400], true]);
    expect(JSON.stringify((await client.rest('GET', '/workflows')).body)).not.toContain('behind a refusal');
  });

  it('may have 64 kB of heads while they wait', async () => {
    const large = headOf('GET', '/v1/workflows', 0).replace('Host', `X-Large: ${'x'.repeat(12_000)}\r\nHost`);
    const { statuses, closed } = await exchange(server.baseUrl, large.repeat(20), 20);
    expect([statuses.length < 20, closed]).toEqual([true, true]);
  });

  it('harm no one when all are refused', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = connect(Number(new URL(server.baseUrl).port), 'localhost').on('error', () => undefined);
        socket.write(`${headOf('GET', '/v1/a', 1, 'wfk_nope')}1`.repeat(20_000));
        socket.resume();
        await new Promise((resolve) => socket.once('close', resolve));
        return socket;
      }),
    );
    expect(sockets).toHaveLength(10);
    expect((await client.rest('GET', '/workflows')).status).toBe(200);
  });
});

describe('the end of a connection', () => {
  it('waits for the rest of its last request, however many responses could have ended it', () => {
    const socket = new Socket();
    const ends: string[] = [];
    socket.destroySoon = () => void ends.push('at once');
    socket.end = () => (ends.push('after the rest'), socket);
    const requests = Array.from({ length: 50_000 }, () =>
      Object.assign(new IncomingMessage(socket), { complete: true }),
    );
    for (const request of requests) lingerAfter(new ServerResponse(request));
    socket.destroySoon();
    requests.at(-1)!.complete = false;
    socket.destroySoon();
    expect(ends).toEqual(['at once', 'after the rest']);
    socket.destroy();
  });
});

describe('a body in too many chunks that no one reads', () => {
  it('is refused at the proxy like any other', async () => {
    const path = '/v1/integrations/int_00000000000000000000000000/proxy/x';
    const head = headOf('POST', path, 0).replace(/Content-Length: 0/, 'Transfer-Encoding: chunked');
    const { statuses } = await exchange(server.baseUrl, head + '1\r\nx\r\n'.repeat(3_000), 2);
    expect(statuses).toEqual([404]);
    expect((await client.rest('GET', '/workflows')).status).toBe(200);
  });
});
