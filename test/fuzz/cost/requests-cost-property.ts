import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import { parse } from 'graphql';
import { transportFault } from '../../../src/transports/gateway/transport-fault.js';
import { measure } from '../../../src/transports/graphql/documents/document-facts.js';
import { limitFault } from '../../../src/transports/graphql/documents/limits.js';
import { clientAddress, networkOf } from '../../../src/platform/http/inbound/client-address.js';
import { Cookie } from '../../../src/platform/http/inbound/cookies.js';
import { hopsOf } from '../../../src/platform/http/inbound/hops.js';
import { InboundMessage } from '../../../src/platform/http/inbound/inbound-message.js';
import { isSameOrigin } from '../../../src/platform/http/inbound/same-origin.js';
import { SCHEMA } from '../documents.js';
import { settings } from '../runs.js';
import { scansOf } from './scans.js';
import { Steps } from './steps.js';

/** Characters that a walk may go through for each of its text. */
const SCANS = 8;

/** Pieces of the headers that we read ourselves. */
const pieces = (longest: number): Arbitrary<string> =>
  fc
    .array(fc.constantFrom(';', '=', ',', ' ', 'a=b', '10.0.0.1', '::', ':', '[', ']', '%', 'session', '1', '\t'), {
      maxLength: longest,
    })
    .map((parts) => parts.join(''));

/** Headers by name; the same name may stand several times. */
const headers = (longest: number): Arbitrary<[string, string][]> =>
  fc.array(
    fc.tuple(
      fc.constantFrom('Host', 'Cookie', 'X-Forwarded-For', 'Transfer-Encoding', 'Origin', 'Workflow-Hops', 'X-Other'),
      pieces(longest),
    ),
    { maxLength: 40 },
  );

/** A chunk of a body: what it holds, and how its size is written. */
interface Chunk {
  length: number;
  zeros: number;
  extension: string;
}

const chunks = (most: number): Arbitrary<Chunk[]> =>
  fc.array(
    fc.record({
      length: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 1, max: 2_000 })),
      zeros: fc.integer({ min: 0, max: 3 }),
      extension: fc.constantFrom('', ';a', ';a=b', ';a="b c"'),
    }),
    { maxLength: most },
  );

/** What is done with a request before it is understood costs no more than its size: headers, chunks, variables. */
export function describeRequestCostFuzz(isLong: boolean): void {
  describe('random headers', () => {
    it('are read in steps that grow like their text', async () => {
      const holds = fc.property(headers(isLong ? 400 : 40), (lines) => {
        const request = requestOf(lines);
        const length = lines.flat().join('').length;
        const scans = scansOf(() => {
          transportFault(request);
          networkOf(clientAddress(request, 2));
          new Cookie('http:', 'session').valueIn(request);
          hopsOf(request.headers);
          isSameOrigin(request, 'http://localhost');
        });
        expect(scans).toBeLessThanOrEqual(SCANS * length + SCANS);
      });
      fc.assert(holds, settings(isLong));
    });
  });

  describe('random chunks', () => {
    let server: Server;
    let seen = 0;
    let size = 0;

    class Counted extends InboundMessage {
      constructor(socket: Socket) {
        super(socket);
        const { push } = this;
        this.push = (chunk: Buffer | null, encoding) => {
          seen += chunk === null ? 0 : 1;
          size += chunk?.length ?? 0;
          return push(chunk, encoding);
        };
      }
    }

    beforeAll(async () => {
      server = createServer({ IncomingMessage: Counted }, (request, response) => {
        request.resume().once('end', () => response.end());
        request.onExcess(() => response.writeHead(413).end());
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    it('are looked at in a number that grows like their bytes', async () => {
      const holds = fc.asyncProperty(chunks(isLong ? 4_000 : 1_500), fc.nat(7), async (all, luck) => {
        [seen, size] = [0, 0];
        const body = all
          .map(textOf)
          .join('')
          .repeat(luck === 0 ? 10 : 1);
        await posted((server.address() as AddressInfo).port, `${body}0\r\n\r\n`);
        expect(seen).toBeLessThanOrEqual(1_024 + size / 256 + 1);
      });
      await fc.assert(holds, settings(isLong));
    });
  });

  describe('random variables', () => {
    it('are counted in steps that grow like their values and the tokens that name them, whatever fragments spread', () => {
      const shapes = fc.jsonValue({ maxDepth: 8, depthSize: 'large' }) as Arbitrary<unknown>;
      const holds = fc.property(
        shapes,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 40 }),
        (v, levels, uses) => {
          const facts = measure(SCHEMA, parse(spreading(levels, uses)));
          const steps = new Steps();
          const variables = steps.of({ v });
          const fault = limitFault(facts, variables);
          const bytes = JSON.stringify(v).length;
          expect(steps.count).toBeLessThanOrEqual(12 * bytes + 40 * uses + 100);
          const isMuch = typeof v === 'object' && v !== null && bytes * uses * 2 ** levels > 1_048_576;
          if (isMuch) expect(fault).toBeDefined();
        },
      );
      fc.assert(holds, settings(isLong));
    });
  });
}

function requestOf(lines: readonly [string, string][]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = lines.flat();
  for (const [name, value] of lines) request.headers[name.toLowerCase()] = value;
  return request;
}

function textOf({ length, zeros, extension }: Chunk): string {
  return `${'0'.repeat(zeros)}${length.toString(16)}${extension}\r\n${'x'.repeat(length)}\r\n`;
}

/** Sends a body in chunks, and waits for an answer. */
async function posted(port: number, body: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
}

/** Fragments that double so often, the last of which names a variable so often. */
function spreading(levels: number, uses: number): string {
  const all = Array.from({ length: levels }, (_, n) => `fragment F${n} on A { ...F${n + 1} ...F${n + 1} }`);
  const last = `fragment F${levels} on A { text(b: [${'$v '.repeat(uses)}]) }`;
  return [`query ($v: [Int]) { a { ...F0 } }`, ...all, last].join(' ');
}
