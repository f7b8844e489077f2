import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FairShare } from '../../src/platform/admission/fair-share.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { type OutboundRequest } from '../../src/platform/http/outbound/outbound-request.js';
import { readAnswer } from '../../src/platform/http/outbound/read-answer.js';
import { until } from '../support/until.js';
import { serveHttp } from './loopback.js';

const MAX = 1_000_000;
/** More than a response that needs no space. */
const BEGINNING = Buffer.alloc(400_000, 'a');

/** Counts what it gave. */
class CountedShare extends FairShare {
  given: number[] = [];

  override async take(who: string, amount: number, signal: AbortSignal): Promise<() => void> {
    const giveBack = await super.take(who, amount, signal);
    this.given.push(amount);
    return giveBack;
  }
}

let share: CountedShare;
let stop: AbortController;

beforeEach(() => {
  share = new CountedShare(12 * MAX);
  stop = new AbortController();
});
afterEach(() => stop.abort(new Error('the test is over')));

/** Starts to read a response of which `start` has arrived. */
function read(
  account: string,
  start: Buffer,
  headers: Record<string, string> = {},
  more: Partial<OutboundRequest> = {},
) {
  const stream = new PassThrough();
  stop.signal.addEventListener('abort', () => stream.destroy());
  stream.write(start);
  const asked = { url: '', timeoutMs: 1, maxBytes: MAX, trust: 'user', account, ...more } as const;
  const outcome = { isOver: false, unpacked: 0 };
  const body = readAnswer(
    { host: 'h', status: 200, fields: headers, stream },
    asked,
    { space: share, turn: () => undefined, unpacked: (bytes) => (outcome.unpacked += bytes) },
    stop.signal,
  );
  void body.finally(() => (outcome.isOver = true)).catch(() => undefined);
  return { stream, body, outcome };
}

/** The maximum of responses of `a` with space: eight of the twelve. */
async function fill() {
  const answers = Array.from({ length: 10 }, () => read('a', BEGINNING));
  await until(() => share.given.length === 8);
  return answers;
}

describe('a compressed response', () => {
  it.each([
    ['whole', {}, MAX],
    ['of which only the beginning is read', { cut: 'decoded' as const, maxBytes: 1_000 }, 1_000],
  ])('counts with what comes out of it: %s', async (_, more, bytes) => {
    const packed = read('a', gzipSync(Buffer.alloc(MAX)), { 'content-encoding': 'gzip' }, more);
    packed.stream.end();
    expect((await packed.body).body).toHaveLength(bytes);
    expect(packed.outcome.unpacked).toBe(bytes);
  });

  it('counts nothing beside the wire if it is not compressed', async () => {
    const plain = read('a', BEGINNING);
    plain.stream.end();
    await plain.body;
    expect(plain.outcome.unpacked).toBe(0);
  });
});

describe('concurrently read responses', () => {
  it('of one account leave space for those of another while they hang', async () => {
    const hanging = await fill();
    const plain = read('b', BEGINNING);
    plain.stream.end(BEGINNING);
    expect((await plain.body).body).toHaveLength(800_000);
    const packed = read('b', gzipSync(Buffer.alloc(MAX)), { 'content-encoding': 'gzip' });
    packed.stream.end();
    expect((await packed.body).body).toHaveLength(MAX);
    expect(hanging.filter(({ outcome }) => outcome.isOver)).toEqual([]);
    expect(share.given).toHaveLength(10);
  });

  it('need no space when they are short or cut', async () => {
    await fill();
    const short = read('a', Buffer.alloc(100_000));
    short.stream.end();
    expect((await short.body).body).toHaveLength(100_000);
    const cut = read('a', BEGINNING, {}, { cut: 'raw', maxBytes: 4_096 });
    expect((await cut.body).body).toHaveLength(4_096);
    expect(share.given).toHaveLength(8);
  });

  it('are not read on before there is space, and then are', async () => {
    const hanging = await fill();
    const waiting = hanging.at(-1)!;
    let sent = 0;
    while (waiting.stream.write(Buffer.alloc(1_000)) && sent < MAX) sent += 1_000;
    expect(sent).toBeLessThan(MAX);
    for (const { stream } of hanging.slice(0, 2)) stream.end();
    waiting.stream.end();
    expect((await waiting.body).body.length).toBeGreaterThan(BEGINNING.length);
    expect(hanging.slice(2, 9).filter(({ outcome }) => outcome.isOver)).toEqual([]);
  });

  it('need their declared length, and at most twice the limit when compressed', async () => {
    read('a', BEGINNING, { 'content-length': '500000' });
    read('a', BEGINNING, { 'content-length': '5000000' });
    read('a', BEGINNING, { 'content-length': 'x' });
    read('a', gzipSync('x'), { 'content-encoding': 'GZIP', 'content-length': '20' });
    await until(() => share.given.length === 4);
    expect(share.given).toEqual([500_000, MAX, MAX, MAX + 20]);
  });

  it('leave their space when they fail or grow too large', async () => {
    const hanging = await fill();
    hanging[0]!.stream.destroy(new Error('reset'));
    hanging[1]!.stream.write(Buffer.alloc(MAX));
    await expect(hanging[0]!.body).rejects.toThrow('reset');
    await expect(hanging[1]!.body).rejects.toMatchObject({ reason: 'too_large' });
    await until(() => share.given.length === 10);
  });

  it('end with their call while they wait', async () => {
    const hanging = await fill();
    stop.abort(new Error('enough'));
    await expect(hanging.at(-1)!.body).rejects.toThrow('enough');
    await Promise.allSettled(hanging.map(({ body }) => body));
    stop = new AbortController();
    for (let n = 0; n < 8; n += 1) read('a', BEGINNING);
    await until(() => share.given.length === 16);
  });

  it('from servers that hang leave space for others', async () => {
    let begun = 0;
    const server = await serveHttp((request, response) => {
      if (request.url === '/whole') response.end(Buffer.alloc(MAX));
      else response.write(BEGINNING, () => (begun += 1));
    });
    const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', answerSpace: 12 * MAX });
    const ask = (path: string, account: string) =>
      outbound.request({
        url: server.url + path,
        timeoutMs: 60_000,
        maxBytes: MAX,
        trust: 'user',
        account,
        signal: stop.signal,
      });
    let ended = 0;
    const hanging = Array.from({ length: 20 }, () =>
      ask('/hanging', 'a')
        .catch(() => undefined)
        .finally(() => (ended += 1)),
    );
    await until(() => begun === hanging.length);
    for (let n = 0; n < 3; n += 1) expect((await ask('/whole', 'b')).body).toHaveLength(MAX);
    expect(ended).toBe(0);
    stop.abort();
    await Promise.all(hanging);
    await outbound.close();
    await server.close();
  });
});
