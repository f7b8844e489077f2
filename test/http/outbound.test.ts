import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type RequestListener } from 'node:http';
import { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { runInTransaction } from '../../src/platform/db/transaction-context.js';
import { toAppError } from '../../src/platform/errors.js';
import { OutboundError } from '../../src/platform/http/outbound/outbound-error.js';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { type OutboundRequest } from '../../src/platform/http/outbound/outbound-request.js';
import { serveHttp, serveTcp, type Loopback } from './loopback.js';

const MB = 1_000_000;

let outbound: Outbound;
let servers: Loopback[];

beforeEach(() => {
  outbound = createOutbound({ allowPrivateNetwork: false, userAgent: 'gateway/1' });
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await outbound.close();
});

async function http(listener: RequestListener): Promise<Loopback> {
  const server = await serveHttp(listener);
  servers.push(server);
  return server;
}

async function tcp(onSocket: (socket: Socket) => void): Promise<Loopback> {
  const server = await serveTcp(onSocket);
  servers.push(server);
  return server;
}

function ask(server: Loopback, more: Partial<OutboundRequest> = {}) {
  return outbound.request({
    url: `${server.url}/?key=secret`,
    timeoutMs: 60_000,
    maxBytes: MB,
    trust: 'operator',
    ...more,
  });
}

async function failure(call: Promise<unknown>): Promise<OutboundError> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  expect(error.message).not.toContain('secret');
  return error;
}

async function allClosed(server: Loopback): Promise<boolean> {
  for (let tries = 0; tries < 100 && server.open.size > 0; tries += 1) await pause(10);
  return server.open.size === 0;
}

describe('Outbound.request', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const server = await http((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(201, { 'X-One': ['a', 'b'], 'Content-Type': 'application/json' });
        response.end(
          JSON.stringify({
            method: request.method,
            url: request.url,
            headers: request.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
    });
    const answer = await ask(server, { method: 'PATCH', headers: { Authorization: 'Bearer x' }, body: 'ümlaut' });
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({ 'x-one': 'a, b', 'content-type': 'application/json' });
    expect(answer.json()).toEqual({
      method: 'PATCH',
      url: '/?key=secret',
      body: 'ümlaut',
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'keep-alive',
        'user-agent': 'gateway/1',
        'accept-encoding': 'identity',
        authorization: 'Bearer x',
        'content-length': '7',
      },
    });
  });

  it('does not follow redirects', async () => {
    let requests = 0;
    const server = await http((request, response) => {
      requests += 1;
      response.writeHead(302, { Location: '/elsewhere' }).end('moved');
    });
    const answer = await ask(server, { headers: { Authorization: 'Bearer x' } });
    expect([answer.status, answer.headers.location, answer.text(), requests]).toEqual([302, '/elsewhere', 'moved', 1]);
  });

  it('returns responses of any status', async () => {
    const server = await http((request, response) => response.writeHead(503).end('later'));
    expect((await ask(server)).status).toBe(503);
  });

  it('reads an empty answer to HEAD and 204, whatever its headers say', async () => {
    const server = await http((request, response) => {
      if (request.method === 'HEAD')
        response.writeHead(200, { 'Content-Length': 5 * MB, 'Content-Encoding': 'gzip' }).end();
      else response.writeHead(204).end();
    });
    expect((await ask(server, { method: 'HEAD' })).body).toHaveLength(0);
    expect((await ask(server)).body).toHaveLength(0);
  });

  it.each(['Host', 'connection', 'Content-Length', 'Transfer-Encoding', 'expect', 'upgrade'])(
    'refuses to send a header of the connection: %s',
    async (name) => {
      const server = await http((request, response) => response.end());
      expect((await failure(ask(server, { headers: { [name]: '1' } }))).reason).toBe('invalid_request');
      expect(server.connections).toBe(0);
    },
  );

  it.each<Partial<OutboundRequest>>([
    { headers: { 'X-A': 'secret\r\nX-B: 1' } },
    { headers: { 'X A': 'secret' } },
    { method: 'GET /secret' },
    { method: 'CONNECT' },
  ])('refuses what is not valid HTTP: %j', async (more) => {
    const server = await http((request, response) => response.end());
    expect((await failure(ask(server, more))).reason).toBe('invalid_request');
    expect(server.connections).toBe(0);
  });

  it('throws while a database transaction is open in the same context', async () => {
    const server = await http((request, response) => response.end());
    const call = runInTransaction(() => ask(server));
    await expect(call).rejects.toThrow('while a database transaction is open');
    await expect(call).rejects.not.toBeInstanceOf(OutboundError);
    expect(server.connections).toBe(0);
    expect((await ask(server)).status).toBe(200);
  });
});

describe('Outbound.request, time', () => {
  async function timesOut(server: Loopback): Promise<void> {
    const started = performance.now();
    const error = await failure(ask(server, { timeoutMs: 200 }));
    expect(error.reason).toBe('timeout');
    expect(error.message).toBe(`127.0.0.1:${server.port} gave no whole answer within 200 ms.`);
    expect(performance.now() - started).toBeGreaterThanOrEqual(190);
    expect(await allClosed(server)).toBe(true);
  }

  it('ends a call whose server never answers', async () => {
    await timesOut(await http(() => {}));
  });

  it('ends a call whose server stops in the middle of the headers', async () => {
    await timesOut(await tcp((socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-'))));
  });

  it('ends a call whose server stops in the middle of the body', async () => {
    await timesOut(
      await http((request, response) => void response.writeHead(200, { 'Content-Length': 10 }).write('12345')),
    );
  });

  it('ends a call whose body drips for ever', async () => {
    await timesOut(
      await http((request, response) => {
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      }),
    );
  });

  it('ends a call whose server sends informational answers for ever', async () => {
    await timesOut(
      await tcp((socket) => {
        const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
        socket.on('close', () => clearInterval(drip));
      }),
    );
  });

  it('ends a call whose TLS handshake is never answered', async () => {
    const server = await tcp(() => {});
    const error = await failure(ask(server, { url: `https://127.0.0.1:${server.port}/`, timeoutMs: 200 }));
    expect(error.reason).toBe('timeout');
  });

  it('ends a call whose name is never resolved', async () => {
    let answer: (addresses: []) => void = () => {};
    const resolve = () => new Promise<[]>((settle) => (answer = settle));
    const stuck = createOutbound({ allowPrivateNetwork: false, userAgent: 'x', resolve });
    const call = stuck.request({ url: 'http://slow.test/', timeoutMs: 100, maxBytes: 1, trust: 'user' });
    expect((await failure(call)).reason).toBe('timeout');
    await stuck.close();
    answer([]);
  });

  it('ends a call when the caller’s signal says so, before and during it', async () => {
    const server = await http(() => {});
    expect((await failure(ask(server, { signal: AbortSignal.abort(new Error('secret')) }))).reason).toBe('canceled');
    await pause(50);
    expect(server.connections).toBe(0);
    expect((await failure(ask(server, { signal: AbortSignal.timeout(50) }))).reason).toBe('canceled');
    expect(await allClosed(server)).toBe(true);
  });
});

describe('Outbound.request, size', () => {
  it('takes an answer of exactly the limit and refuses one byte more', async () => {
    const size = 5 * MB;
    const server = await http((request, response) => {
      response.end(Buffer.alloc(request.url === '/more' ? size + 1 : size, 'a'));
    });
    expect((await ask(server, { maxBytes: size })).body).toHaveLength(size);
    const error = await failure(ask(server, { url: `${server.url}/more`, maxBytes: size }));
    expect(error.reason).toBe('too_large');
    expect(error.message).toBe(`The response from 127.0.0.1:${server.port} is larger than 5000000 bytes.`);
  });

  it('hangs up on an endless body soon after the limit', async () => {
    let sent = 0;
    const server = await http((request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a');
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      response.on('drain', pour);
      pour();
    });
    expect((await failure(ask(server))).reason).toBe('too_large');
    expect(await allClosed(server)).toBe(true);
    // Beyond the limit lies only what the kernel's buffers hold.
    expect(sent).toBeLessThan(20 * MB);
  });

  it('refuses headers without end', async () => {
    const server = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const pour = () => {
        while (!socket.destroyed && socket.write(`X-A: ${'a'.repeat(1_000)}\r\n`));
      };
      socket.on('drain', pour);
      pour();
    });
    expect((await failure(ask(server))).reason).toBe('too_large');
    expect(await allClosed(server)).toBe(true);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('inflates %s that it did not ask for, up to the limit', async (coding, compress) => {
    // Made beforehand: a brotli of 50 MB takes longer than a call may.
    const [small, bomb] = [MB, 50 * MB].map((size) => compress(Buffer.alloc(size, 'a')));
    const server = await http((request, response) => {
      response.writeHead(200, { 'Content-Encoding': coding });
      response.end(request.url === '/bomb' ? bomb : small);
    });
    expect((await ask(server)).body).toHaveLength(MB);
    expect((await failure(ask(server, { url: `${server.url}/bomb` }))).reason).toBe('too_large');
  });

  it('refuses compressed data that is broken', async () => {
    const server = await http((request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('not gzip');
    });
    expect((await failure(ask(server))).reason).toBe('invalid_answer');
  });
});

describe('Outbound.request, network', () => {
  it('fails when the connection is refused', async () => {
    const server = await http(() => {});
    await server.close();
    servers = [];
    const error = await failure(ask(server));
    expect([error.reason, error.detail]).toEqual(['network', 'ECONNREFUSED']);
    expect(error.message).toBe(`Could not reach 127.0.0.1:${server.port} (ECONNREFUSED).`);
    // Our own database fails with the same code.
    expect(toAppError(error).code).toBe('internal_error');
  });

  it.each([
    ['before the headers', ''],
    ['in the middle of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345'],
    ['in the middle of a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n12345'],
  ])('fails when the connection is reset %s', async (_when, sent) => {
    const server = await tcp((socket) => {
      socket.once('data', () => socket.write(sent || ' ', () => setTimeout(() => socket.resetAndDestroy(), 20)));
      if (sent === '') socket.once('data', () => socket.resetAndDestroy());
    });
    expect((await failure(ask(server))).reason).toBe('network');
  });

  it.each([
    ['ends before the headers', ''],
    ['ends in the middle of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345'],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['says both lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ])('fails when the answer %s', async (_what, sent) => {
    const server = await tcp((socket) => socket.once('data', () => socket.end(sent)));
    expect((await failure(ask(server))).reason).toBe('network');
  });

  it('fails when TLS is spoken to a server without it', async () => {
    const server = await http((request, response) => response.end());
    expect((await failure(ask(server, { url: `https://127.0.0.1:${server.port}/?key=secret` }))).reason).toBe(
      'network',
    );
  });
});

describe('OutboundResponse.json', () => {
  it.each([
    ['200 levels', '['.repeat(200) + ']'.repeat(200), true],
    ['201 levels', '['.repeat(201) + ']'.repeat(201), false],
    ['20,000 levels', '['.repeat(20_000) + ']'.repeat(20_000), false],
    ['a byte order mark', '\uFEFF{}', true],
    ['HTML', '<html>', false],
    ['nothing', '', false],
  ])('of %s', async (_what, text, taken) => {
    const server = await http((request, response) => response.end(text));
    const answer = await ask(server);
    if (taken) expect(typeof answer.json()).toBe('object');
    else expect(() => answer.json()).toThrow(expect.objectContaining({ reason: 'invalid_answer' }));
  });
});
