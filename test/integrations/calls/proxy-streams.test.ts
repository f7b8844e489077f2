import { connect, type Socket } from 'node:net';
import { type ServerResponse } from 'node:http';
import { until } from '../../support/until.js';
import { exchange } from '../../support/http/exchange.js';
import { CallWorld } from './upstream.js';

const MEBIBYTE = 1_048_576;

describe('bodies through the proxy', () => {
  let world: CallWorld;
  beforeAll(async () => {
    world = await CallWorld.open();
  });
  beforeEach(() => world.upstream.reset());
  afterAll(() => world.close());

  /** The start of a request to the proxy, without an empty line. */
  const head = (method: string, ...headers: string[]) =>
    [
      `${method} /v1/integrations/${world.id}/proxy/x HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${world.client.key}`,
      ...headers,
    ].join('\r\n');
  const open = (text: string): Socket => {
    const { hostname, port } = new URL(world.server.baseUrl);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('error', () => undefined);
    return socket;
  };
  const heldBytes = async () => {
    const metrics = await (await fetch(`${world.server.baseUrl}/metrics`)).text();
    return Number(/^body_bytes (\d+)/m.exec(metrics)![1]);
  };

  it('arrive whole, with the length that the client declares, or in chunks', async () => {
    for (const size of [0, 1, 65_536, 65_537, 5 * MEBIBYTE]) {
      const body = Buffer.alloc(size, 'ab');
      expect((await world.proxy('/x', { method: 'POST', body })).status).toBe(200);
      expect(world.upstream.last.body.equals(body)).toBe(true);
      expect(world.upstream.last.headers['content-length']).toEqual([String(size)]);
    }
    const chunks = await exchange(
      world.server.baseUrl,
      `${head('POST', 'Transfer-Encoding: chunked')}\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    );
    expect(chunks.statuses).toEqual([200]);
    expect(world.upstream.last.body.toString()).toBe('abcde');
    expect(world.upstream.last.headers['transfer-encoding']).toEqual(['chunked']);
  });

  it('come back whole, as they are: compressed, long, without a length', async () => {
    const body = Buffer.alloc(25 * MEBIBYTE, 'xyz');
    world.upstream.onRequest = (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(body);
    const answer = await exchangeWhole(head('GET', 'Connection: close'));
    const end = answer.indexOf('\r\n\r\n');
    expect(answer.subarray(0, end).toString('latin1').toLowerCase().split('\r\n')).toEqual(
      expect.arrayContaining(['content-encoding: br', 'transfer-encoding: chunked']),
    );
    expect(unchunked(answer.subarray(end + 4)).equals(body)).toBe(true);
  });

  /** All bytes of one connection. */
  const exchangeWhole = (text: string) =>
    new Promise<Buffer>((resolve) => {
      const chunks: Buffer[] = [];
      const socket = open(`${text}\r\n\r\n`);
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('close', () => resolve(Buffer.concat(chunks)));
    });

  it('of more than 5 MB are refused while they come, and the application\u2019s connection is closed', async () => {
    let arrived = 0;
    world.upstream.onRequest = (request) => request.on('data', (chunk: Buffer) => (arrived += chunk.length));
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    const outcome = await exchange(
      world.server.baseUrl,
      `${head('POST', 'Transfer-Encoding: chunked')}\r\n\r\n${chunk.repeat(90)}`,
    );
    expect(outcome.statuses).toEqual([413]);
    expect(outcome.text).toContain('error=http_request_denied');
    await until(() => world.upstream.aborted === 1);
    expect(arrived).toBeLessThanOrEqual(5 * MEBIBYTE);
  });

  it('that do not end are cut at 25 MB, so that the client notices', async () => {
    world.upstream.onRequest = (_, response) => {
      response.writeHead(200);
      pour(response);
    };
    const response = await world.proxy('/x');
    expect(response.status).toBe(200);
    let size = 0;
    const read = async () => {
      for await (const chunk of response.body!) size += (chunk as Uint8Array).length;
    };
    await expect(read()).rejects.toThrow();
    expect(size).toBeLessThanOrEqual(25 * MEBIBYTE);
    await until(() => world.upstream.aborted === 1);
  });

  it('that break off break off for the client, too', async () => {
    world.upstream.onRequest = (_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    };
    const response = await world.proxy('/x');
    await expect(response.text()).rejects.toThrow();
  });

  it('wait for a client that reads slowly, and end with it', async () => {
    let written = 0;
    world.upstream.onRequest = (_, response) => {
      response.writeHead(200);
      pour(response, (bytes) => (written += bytes));
    };
    const before = await heldBytes();
    const socket = open(`${head('GET')}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    let last = -1;
    await until(async () => {
      const still = last === written;
      last = written;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return still && last === written;
    });
    // What the buffers of the sockets take, far from the 25 MB.
    expect(written).toBeLessThan(16 * MEBIBYTE);
    expect(await heldBytes()).toBeGreaterThan(before);
    socket.destroy();
    await until(() => world.upstream.aborted === 1);
    await until(async () => (await heldBytes()) === before);
  });

  it('of a client that leaves before the answer are not waited for', async () => {
    world.upstream.onRequest = () => undefined;
    for (const request of [
      `${head('GET')}\r\n\r\n`,
      `${head('POST', 'Transfer-Encoding: chunked')}\r\n\r\n1\r\na\r\n`,
    ]) {
      const [before, aborted] = [world.upstream.requests.length, world.upstream.aborted];
      const socket = open(request);
      await until(() => world.upstream.requests.length > before);
      socket.destroy();
      await until(() => world.upstream.aborted > aborted);
    }
  });

  it('of clients that left take no slot of the host', async () => {
    world.upstream.onRequest = ({ url }, response) => {
      response.writeHead(200).flushHeaders();
      if (url!.endsWith('?whole')) response.end('whole');
    };
    // More than an account may have at once.
    for (const _ of Array(3).keys()) {
      const sockets = Array.from({ length: 30 }, () => open(`${head('GET')}\r\n\r\n`));
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
      for (const socket of sockets) socket.destroy();
    }
    expect(await (await world.proxy('/x?whole')).text()).toBe('whole');
  });

  it('leave the connection usable if the application answers early', async () => {
    world.upstream.onRequest = (_, response) => response.writeHead(409).end('early');
    const body = 'x'.repeat(2 * MEBIBYTE);
    const both = await exchange(
      world.server.baseUrl,
      `${head('POST', `Content-Length: ${body.length}`)}\r\n\r\n${body}${head('GET')}\r\n\r\n`,
      2,
    );
    expect(both.statuses).toEqual([409, 409]);
  });
});

/** The bytes within chunks. @throws Error if they do not end with the last chunk. */
function unchunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const data = bytes.indexOf('\r\n', at) + 2;
    const size = Number.parseInt(bytes.toString('latin1', at, data), 16);
    if (!(size > 0)) {
      if (bytes.toString('latin1', at) === '0\r\n\r\n') return Buffer.concat(chunks);
      throw new Error('The chunks do not end.');
    }
    chunks.push(bytes.subarray(data, data + size));
    at = data + size + 2;
  }
}

/** Writes for ever, as far as it is read. */
function pour(response: ServerResponse, onBytes: (bytes: number) => void = () => undefined): void {
  const chunk = Buffer.alloc(65_536);
  const write = () => {
    while (!response.destroyed) {
      onBytes(chunk.length);
      if (!response.write(chunk)) return void response.once('drain', write);
    }
  };
  write();
}
