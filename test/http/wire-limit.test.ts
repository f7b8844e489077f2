import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ByteRates } from '../../src/platform/admission/byte-rates.js';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { Wire } from '../../src/platform/http/outbound/limits/wire-limit.js';
import { until } from '../support/until.js';
import { type Loopback, serveHttp, serveTcp } from './loopback.js';

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
/** What one read of a socket brings. */
const READ = 65_536;

/** Counts what accounts receive, and never makes them wait. */
class Counted extends ByteRates {
  received = 0;

  override spend(_account: string, bytes: number): void {
    this.received += bytes;
  }
}

let rates: Counted;
let outbound: Outbound;
let server: Loopback;
beforeEach(() => {
  rates = new Counted(1);
  outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', rates });
});
afterEach(async () => {
  await server?.close();
  await outbound.close();
});

const ask = (more: object = {}, by = outbound) =>
  by.request({ url: server.url, timeoutMs: 60_000, maxBytes: 5_000_000, trust: 'user', account: 'a', ...more });

/** Responds with a beginning, and then repeats a text without end. */
async function endless(beginning: string, more: string): Promise<void> {
  const again = Buffer.from(more.repeat(Math.ceil(READ / more.length)));
  server = await serveTcp((socket) =>
    socket.once('data', () => {
      if (beginning !== '') socket.write(beginning);
      const fill = () => {
        while (!socket.destroyed && socket.write(again));
      };
      socket.on('drain', fill);
      fill();
    }),
  );
}

describe('a call', () => {
  const wire = (isCut = false) => new Wire('host', isCut, () => undefined);

  it('receives 256 kB before the body, and no byte more', () => {
    const call = wire();
    expect([call.arrive(262_143), call.arrive(1), call.arrive(1)]).toEqual([true, true, false]);
  });

  it('receives 1 MB around its body, and as much as the body has', () => {
    const call = wire();
    call.begin();
    expect([call.arrive(1_048_576), call.arrive(1)]).toEqual([true, false]);
    call.deliver(100);
    expect([call.arrive(199), call.arrive(1)]).toEqual([true, false]);
  });

  it('of which only the beginning is read receives 256 kB around that', () => {
    const call = wire(true);
    call.begin();
    call.deliver(100);
    expect([call.arrive(262_144 + 100), call.arrive(1)]).toEqual([true, false]);
  });
});

describe('an endless answer brings no more than its limit and one read', () => {
  it.each([
    ['informational answers', '', `HTTP/1.1 103 Early Hints\r\nX-A: ${'b'.repeat(8_000)}\r\n\r\n`, {}, 262_144],
    ['empty lines', '', '\r\n', {}, 262_144],
    ['a reason phrase', 'HTTP/1.1 200 ', 'a', {}, 262_144],
    ['the extension of a chunk', `${CHUNKED}1;`, 'a', {}, 1_048_576],
    ['long extensions of short chunks', CHUNKED, `1;${'a'.repeat(60_000)}\r\nx\r\n`, {}, 1_048_576 + 64],
    ['the extension of a chunk, where only the beginning is read', `${CHUNKED}1;`, 'a', { cut: 'raw' }, 262_144],
    [
      'a body, where only the beginning is read',
      CHUNKED,
      `ffff\r\n${'a'.repeat(65_535)}\r\n`,
      { cut: 'raw' },
      4_096 + READ,
    ],
  ])('%s', async (_what, beginning, more, asked, limit) => {
    await endless(beginning, more);
    await ask({ maxBytes: 4_096, ...asked }).catch((error: unknown) =>
      expect(error).toMatchObject({ reason: 'too_large' }),
    );
    expect(rates.received).toBeGreaterThan(4_096);
    expect(rates.received).toBeLessThanOrEqual(limit + 2 * READ);
  });
});

describe('an ordinary answer', () => {
  it('of any length is received whole, and counted as it comes', async () => {
    server = await serveHttp((_request, response) => response.end(Buffer.alloc(5_000_000)));
    for (let n = 0; n < 4; n += 1) expect((await ask()).body).toHaveLength(5_000_000);
    expect(rates.received).toBeGreaterThan(4 * 5_000_000);
    // Where one read ends and the next one begins, a piece may be short, and counts as 64 bytes.
    expect(rates.received).toBeLessThan(4 * 5_020_000);
  });

  it('in 65,536 chunks of a byte is received whole', async () => {
    server = await serveTcp((socket) =>
      socket.once('data', () => void socket.end(`${CHUNKED}${'1\r\nx\r\n'.repeat(65_536)}0\r\n\r\n`)),
    );
    expect((await ask()).body).toHaveLength(65_536);
  });

  it('that waits for memory is received whole', async () => {
    const small = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', answerSpace: 1_000_000, rates });
    server = await serveHttp((_request, response) => response.end(Buffer.alloc(2_000_000)));
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({}, small)));
    expect(answers.map(({ body }) => body.length)).toEqual(answers.map(() => 2_000_000));
    await small.close();
  });
});

describe('an account that has received too much', () => {
  /** 5 MB a second by a clock that the test sets. */
  class Rates extends ByteRates {
    readonly received = new Map<string, number>();
    time = 0;

    constructor() {
      super(5_000_000, () => this.time);
    }

    override spend(account: string, bytes: number): void {
      this.received.set(account, (this.received.get(account) ?? 0) + bytes);
      super.spend(account, bytes);
    }
  }

  it('waits in the middle of a long answer and before a call; others do not, nor do calls without an account', async () => {
    const slow = new Rates();
    const by = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', rates: slow });
    const asked: string[] = [];
    server = await serveHttp((request, response) => {
      asked.push(request.url!);
      response.end(Buffer.alloc(request.url === '/long' ? 30_000_000 : 1_000));
    });
    const call = (path: string, more: object = {}) =>
      ask({ url: server.url + path, maxBytes: 30_000_000, ...more }, by);
    const long = call('/long');
    await until(() => slow.waitOf('a') > 0);
    const next = call('/next');
    for (let n = 0; n < 20; n += 1) await call('/other', { account: 'b' });
    await call('/none', { account: undefined });
    await expect(call('/late', { timeoutMs: 20 })).rejects.toMatchObject({ reason: 'timeout' });
    expect(new Set(asked)).toEqual(new Set(['/long', '/other', '/none']));
    expect(slow.received.get('a')).toBeLessThan(20_000_000 + 4 * READ);
    slow.time = 10_000;
    expect((await long).body).toHaveLength(30_000_000);
    expect((await next).body).toHaveLength(1_000);
    await by.close();
  });
});
