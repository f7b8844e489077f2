import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { chainOf } from '../../../bench/neighbours/certificates.js';
import { ByteRates } from '../../../src/platform/admission/byte-rates.js';
import { createOutbound } from '../../../src/platform/http/outbound/outbound.js';

const RATE = 1_000_000;
/** More than undici and the socket buffer, so that undici pauses its parser. */
const BODY = 'x'.repeat(300_000);

const trusted = getCACertificates('default');
let server: Server;
afterEach(() => {
  setDefaultCACertificates(trusted);
  server.close();
  server.closeAllConnections();
});

function listening(scheme: string, answer: RequestListener): Server {
  if (scheme === 'http') return createServer(answer);
  const { cert, key, root } = chainOf();
  setDefaultCACertificates([...trusted, root]);
  return createSecureServer({ cert, key }, answer);
}

describe('a response whose account may not receive more, and whose server has closed the connection', () => {
  it.each([
    ['http', 'with a length'],
    ['http', 'without a length'],
    ['https', 'with a length'],
    ['https', 'without a length'],
  ])('over %s, %s, is read to its end', async (scheme, length) => {
    const rates = new ByteRates(RATE);
    const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', rates });
    server = listening(scheme, ({ url }, response) => {
      // The burst of four seconds, and half a second more.
      rates.spend(url!.slice(1), 4.5 * RATE);
      const headers = { connection: 'close', ...(length === 'with a length' && { 'content-length': BODY.length }) };
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, headers).end(BODY);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `${scheme}://localhost:${(server.address() as AddressInfo).port}/`;
    const asked = (account: string) =>
      ({ url: url + account, account, timeoutMs: 60_000, maxBytes: 1_000_000, trust: 'user' }) as const;
    try {
      const { body } = await outbound.request(asked('one'));
      expect(body.length).toBe(BODY.length);
      const streamed = await outbound.stream({
        ...asked('other'),
        method: 'GET',
        headers: {},
        signal: new AbortController().signal,
      });
      let size = 0;
      for await (const chunk of streamed.body) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        size += chunk.length;
      }
      expect(size).toBe(BODY.length);
    } finally {
      await outbound.close();
    }
  });
});
