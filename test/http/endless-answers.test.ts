import { type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limitChunks } from '../../src/platform/http/outbound/limits/chunk-limit.js';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { until } from '../support/until.js';
import { type Loopback, serveHttp, serveTcp } from './loopback.js';

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
/** Longer than any test: no call here ends by its timeout. */
const TIME_MS = 60_000;

let outbound: Outbound;
let server: Loopback;

beforeEach(() => {
  outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
});
afterEach(async () => {
  await server.close();
  await outbound.close();
});

function pour(socket: Socket, more: string | Buffer): void {
  const fill = () => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', fill);
  fill();
}

/** Responds to each request with a beginning, followed by endless repetition. */
async function endless(beginning: string, more: string): Promise<void> {
  const again = Buffer.from(more.repeat(Math.ceil(65_536 / more.length)));
  server = await serveTcp((socket) =>
    socket.once('data', () => {
      if (beginning !== '') socket.write(beginning);
      pour(socket, again);
    }),
  );
}

const ask = (more: object = {}) =>
  outbound.request({ url: server.url, timeoutMs: TIME_MS, maxBytes: 5_000_000, trust: 'user', ...more });

describe('an answer without end is cut', () => {
  it.each([
    ['informational answers', '', 'HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n'],
    ['empty lines', '', '\r\n'],
    ['a reason phrase', 'HTTP/1.1 200 ', 'a'],
    ['a header', 'HTTP/1.1 200 OK\r\nX-A: ', 'a'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'],
    ['the size of a chunk', CHUNKED, '0'],
    ['the extension of a chunk', `${CHUNKED}1;`, 'a'],
    ['chunks of one byte with long extensions', CHUNKED, `1;${'a'.repeat(60_000)}\r\nx\r\n`],
    ['trailers', `${CHUNKED}1\r\nx\r\n0\r\n`, 'X-A: b\r\n'],
    ['a body', CHUNKED, `ffff\r\n${'a'.repeat(65_535)}\r\n`],
  ])('%s', async (_what, beginning, more) => {
    await endless(beginning, more);
    await expect(ask()).rejects.toMatchObject({ reason: 'too_large' });
    await until(() => server.open.size === 0);
  });
});

describe('an answer in too many parts is cut', () => {
  const answer = (text: string) =>
    serveTcp((socket) => socket.once('data', () => void socket.end(text))).then((loopback) => (server = loopback));

  it.each([
    [100, { status: 200 }],
    [101, { reason: 'too_large' }],
  ])('with %i informational answers before it', async (count, outcome) => {
    await answer(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count)}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx`);
    expect(await ask().catch((error: unknown) => error)).toMatchObject(outcome);
  });

  it('with hundreds of thousands of chunks', async () => {
    await answer(`${CHUNKED}${'1\r\nx\r\n'.repeat(300_000)}0\r\n\r\n`);
    await expect(ask()).rejects.toMatchObject({ reason: 'too_large' });
    await until(() => server.open.size === 0);
  });

  it('which are 65,536 chunks, and one more for each 64 bytes', () => {
    const stream = new Readable({ read: () => undefined }).on('error', () => undefined);
    let charged = 0;
    limitChunks(stream, 'host', (bytes) => void (charged += bytes));
    for (let n = 0; n < 66_576; n += 1) stream.push('x');
    expect(stream.errored).toBeNull();
    // Each costs the account as much as 64 bytes.
    expect(charged).toBe(66_576 * 63);
    stream.push('x');
    expect(stream.errored).toMatchObject({ reason: 'too_large' });
  });
});

describe('what comes over a connection', () => {
  it('is counted separately for each request on it', async () => {
    server = await serveHttp((_request, response) => response.end(Buffer.alloc(5_000_000)));
    for (let n = 0; n < 12; n += 1) expect((await ask()).body).toHaveLength(5_000_000);
    // So at least one of them carried more than the bytes around a body that one request may have.
    expect(server.connections).toBeLessThanOrEqual(3);
  });

  it('keeps odd header names as they are', async () => {
    server = await serveTcp((socket) =>
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ntoString: d\r\nContent-Length: 1\r\n\r\nx',
        ),
      ),
    );
    const { headers } = await ask();
    expect(Object.entries(headers)).toEqual(
      expect.arrayContaining([
        ['__proto__', 'a, b'],
        ['constructor', 'c'],
        ['tostring', 'd'],
      ]),
    );
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });

  it('unasked for is not taken for the answer of the next call', async () => {
    const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    const forged = answer('forged');
    let asked = 0;
    server = await serveTcp((socket) =>
      socket.on('data', () => {
        asked += 1;
        // With the answer, and some time after it.
        socket.write(answer('right') + (asked % 2 === 0 ? forged : ''));
        if (asked % 2 === 1) setImmediate(() => socket.write(forged));
      }),
    );
    for (let n = 0; n < 6; n += 1) {
      expect((await ask()).text()).toBe('right');
      await until(() => server.open.size === 0);
    }
  });

  it('ends a call whose request is never read', async () => {
    server = await serveTcp((socket) => void socket.pause());
    const call = ask({ method: 'POST', body: Buffer.alloc(20_000_000), timeoutMs: 200 });
    await expect(call).rejects.toMatchObject({ reason: 'timeout' });
    for (const socket of server.open) socket.resume();
    await until(() => server.open.size === 0);
  });
});
