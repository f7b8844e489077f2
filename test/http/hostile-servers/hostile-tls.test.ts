import { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limitTickets, MAX_TICKETS } from '../../../src/platform/http/outbound/limits/tls-limit.js';
import { createOutbound, type Outbound } from '../../../src/platform/http/outbound/outbound.js';
import { type Loopback, serveTcp } from '../loopback.js';

/** The cipher suites of IANA's registry whose keys are exchanged by DHE, of those that OpenSSL knows. */
const DHE = new Set([
  0x32, 0x33, 0x38, 0x39, 0x40, 0x67, 0x6a, 0x6b, 0x9e, 0x9f, 0xa2, 0xa3, 0xccaa, 0xc052, 0xc053, 0xc09e, 0xc09f,
  0xc0a2, 0xc0a3,
]);
const ECDHE_RSA_AES128_GCM = 0xc02f;

let outbound: Outbound;
let server: Loopback | undefined;
beforeEach(() => {
  outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
});
afterEach(async () => {
  await server?.close();
  await outbound.close();
});

/** The cipher suites that a ClientHello offers (RFC 8446, 4.1.2). */
function suitesOf(hello: Buffer): number[] {
  const session = hello[43]!;
  const at = 44 + session;
  const bytes = hello.subarray(at + 2, at + 2 + hello.readUInt16BE(at));
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(2 * index));
}

describe('TLS of a call', () => {
  it.each(['user', 'operator'] as const)(
    'of a URL of the %s offers no DHE, whose cost the server would choose',
    async (trust) => {
      let hello = Buffer.alloc(0);
      server = await serveTcp((socket) =>
        socket.once('data', (bytes) => {
          hello = bytes;
          socket.destroy();
        }),
      );
      const url = server.url.replace('http:', 'https:');
      await expect(outbound.request({ url, timeoutMs: 60_000, maxBytes: 1, trust })).rejects.toMatchObject({
        reason: 'network',
      });
      const suites = suitesOf(hello);
      expect(suites).toContain(ECDHE_RSA_AES128_GCM);
      expect(suites.filter((suite) => DHE.has(suite))).toEqual([]);
    },
  );

  it('takes 16 session tickets, and charges for more, which end the connection', () => {
    // Without a connection: no server of Node.js sends more than a few.
    const socket = new TLSSocket(undefined as never).on('error', () => undefined);
    let charges = 0;
    limitTickets(socket, 'host', () => void (charges += 1));
    const receive = () => socket.emit('session', Buffer.alloc(0));
    for (let n = 0; n < MAX_TICKETS; n += 1) receive();
    expect([MAX_TICKETS, charges, socket.destroyed]).toEqual([16, 0, false]);
    receive();
    receive();
    expect([charges, socket.destroyed]).toEqual([1, true]);
    expect(socket.errored).toMatchObject({ reason: 'too_large' });
  });
});
