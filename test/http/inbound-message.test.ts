import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { readRequestBody } from '../../src/platform/http/inbound/inbound-body.js';
import { InboundMessage } from '../../src/platform/http/inbound/inbound-message.js';
import { exchange } from '../support/http/exchange.js';

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
const ONE = '1\r\nx\r\n';
/** More than Node reads from a socket at once. */
const MANY = 30_000;
/** The maximum of one-byte chunks: 1,024, plus one for each 256 bytes. */
const MOST = 1_028;

describe('a body in chunks', () => {
  let server: Server;
  let baseUrl: string;
  /** Chunks for which Node created objects. */
  let seen = 0;
  let requests: IncomingMessage[] = [];

  class Watched extends InboundMessage {
    constructor(socket: Socket) {
      super(socket);
      const { push } = this;
      this.push = (chunk, encoding) => {
        if (chunk !== null) seen += 1;
        return push(chunk, encoding);
      };
    }
  }

  beforeAll(async () => {
    server = createServer({ IncomingMessage: Watched }, (request, response) => {
      requests.push(request);
      if (request.url === '/unread') return;
      if (request.url === '/answered') return void response.end('answered');
      readRequestBody(request, 1_048_576).then(
        (body) => response.end(String(body.length)),
        (error: Error) => response.writeHead(413).end(error.message),
      );
    });
    await once(server.listen(0), 'listening');
    baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen = 0;
    requests = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const chunks = (count: number, chunk = ONE): string => `${HEAD}${chunk.repeat(count)}0\r\n\r\n`;

  it('is taken in 1,024, and one more for each 256 bytes', async () => {
    expect((await exchange(baseUrl, chunks(MOST))).text).toMatch(/\b1028\b/);
    expect((await exchange(baseUrl, chunks(4_096, `100\r\n${'x'.repeat(256)}\r\n`))).text).toMatch(/\b1048576\b/);
  });

  it('is refused with one more, and no further chunk is processed', async () => {
    const { statuses, text, closed } = await exchange(baseUrl, chunks(MANY), 2);
    expect([statuses, closed, seen]).toEqual([[413], true, MOST + 1]);
    expect(text).toContain('The first 1,029 bytes of the body came in too many chunks. Send larger chunks.');
  });

  it('is counted where nothing reads it, and keeps no more', async () => {
    const { statuses } = await exchange(baseUrl, chunks(MANY).replace('POST /', 'POST /unread'));
    expect([statuses, seen, requests[0]!.readableLength]).toEqual([[], MOST + 1, MOST]);
  });

  it('is counted after a response that did not wait for it', async () => {
    const { statuses, closed } = await exchange(baseUrl, chunks(MANY).replace('POST /', 'POST /answered'), 2);
    expect([statuses, closed, seen]).toEqual([[200], true, MOST + 1]);
  });

  it('ends later requests of the connection too: parts of them were not read', async () => {
    await exchange(baseUrl, chunks(2 * MOST) + chunks(3), 2);
    expect(requests.filter((request) => !(request as InboundMessage).isIncomplete)).toHaveLength(1);
  });

  it('does not affect the next connection', async () => {
    for (let n = 0; n < 20; n += 1) expect((await exchange(baseUrl, chunks(3))).text).toMatch(/\b3\b/);
  });
});
