import { createServer, type Server } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RECEIVED_PER_SECOND } from '../../../src/platform/admission/byte-rates.js';
import {
  LONG_STEP_MS,
  MAX_HANDSHAKE_BYTES,
  MeasuredStream,
} from '../../../src/platform/http/outbound/limits/handshake-limit.js';
import { Wire } from '../../../src/platform/http/outbound/limits/wire-limit.js';
import { createOutbound } from '../../../src/platform/http/outbound/outbound.js';
import { chainOf, type ChainSize } from '../../../bench/neighbours/certificates.js';

const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
const trusted = getCACertificates('default');
let server: Server;
afterEach(() => {
  setDefaultCACertificates(trusted);
  server?.close();
  server?.closeAllConnections();
});
afterAll(() => outbound.close());

/** A server that returns what it is sent, with a chain that the process trusts. @returns its URL and the chain's bytes. */
async function serve(size: ChainSize): Promise<{ url: string; bytes: number; connections: () => number }> {
  const { cert, key, root, bytes } = chainOf(size);
  setDefaultCACertificates([...trusted, root]);
  let connections = 0;
  server = createServer({ cert, key }, (request, response) => void request.pipe(response));
  server.on('secureConnection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}/`, bytes, connections: () => connections };
}

const post = (url: string, body: string, trust: 'user' | 'operator' = 'user') =>
  outbound.request({ url, method: 'POST', body, timeoutMs: 60_000, maxBytes: 10_000_000, trust });

describe('a call over TLS', () => {
  it('carries long bodies both ways, and keeps its connection', async () => {
    const { url, connections } = await serve({});
    const body = 'x'.repeat(3_000_000);
    for (let n = 0; n < 5; n += 1) expect((await post(url, body)).body.toString()).toBe(body);
    // undici opens a second one while the first still ends its response.
    expect(connections()).toBeLessThan(3);
  });

  it('names what is wrong with a certificate', async () => {
    const { url } = await serve({});
    setDefaultCACertificates(trusted);
    await expect(post(url, '1')).rejects.toMatchObject({
      reason: 'network',
      detail: 'SELF_SIGNED_CERT_IN_CHAIN',
    });
  });

  it('takes certificates of nearly 16 kB, and ends with longer ones before they are verified', async () => {
    expect(MAX_HANDSHAKE_BYTES).toBe(16_384);
    const most = await serve({ names: 2_000 });
    expect(most.bytes).toBeGreaterThan(14_000);
    expect((await post(most.url, '1')).status).toBe(200);
    server.close();
    server.closeAllConnections();
    const more = await serve({ names: 2_400 });
    expect(more.bytes).toBeGreaterThan(MAX_HANDSHAKE_BYTES);
    await expect(post(more.url, '1')).rejects.toMatchObject({
      reason: 'network',
      message: expect.stringContaining('sends more than 16384 bytes of certificates'),
    });
    expect((await post(more.url, '1', 'operator')).status).toBe(200);
  });
});

describe('a step of a handshake', () => {
  /** A connection whose TLS computes for as long as the test says. */
  function connection(payer: string, charged: number[] = []) {
    const raw = new PassThrough();
    let [cpu, nextMs] = [0, 0];
    const wire = new Wire(payer, false, (bytes) => void charged.push(bytes));
    const stream = new MeasuredStream(raw as unknown as Socket, 'evil.test', wire, () => cpu);
    stream
      .on('error', () => undefined)
      .on('data', () => {
        const until = performance.now() + nextMs;
        while (performance.now() < until);
        cpu += nextMs;
      });
    return { stream, charged, step: (ms: number) => void ((nextMs = ms), raw.emit('data', Buffer.alloc(10))) };
  }

  it('of less than 50 ms is charged nothing', async () => {
    const one = connection('a');
    await setImmediate();
    one.step(LONG_STEP_MS / 2);
    expect([LONG_STEP_MS, one.charged, one.stream.destroyed]).toEqual([50, [], false]);
    one.stream.destroy();
  });

  it('that takes longer is charged three hundred times, and ends all handshakes of its account', async () => {
    const [first, second, other] = [connection('a'), connection('a'), connection('b')];
    const secured = connection('a');
    secured.stream.shaken();
    await setImmediate();
    first.step(60);
    expect(first.charged).toHaveLength(1);
    expect(first.charged[0]).toBeGreaterThanOrEqual((60 * 300 * RECEIVED_PER_SECOND) / 1_000);
    const fault = { reason: 'network', message: 'The certificates of evil.test take too long to be verified.' };
    for (const { stream } of [first, second]) expect([stream.destroyed, stream.fault]).toMatchObject([true, fault]);
    for (const { stream } of [other, secured]) {
      expect([stream.destroyed, stream.fault]).toEqual([false, undefined]);
      stream.destroy();
    }
    // Its call was admitted before.
    const [late, others] = [connection('a'), connection('b')];
    await setImmediate();
    for (const each of [late, others]) each.step(0);
    expect(late.stream.fault).toMatchObject(fault);
    expect(others.stream.fault).toBeUndefined();
    others.stream.destroy();
  });
});
