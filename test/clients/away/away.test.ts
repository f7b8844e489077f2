import { type RequestListener, type ServerResponse } from 'node:http';
import { afterEach, expect, it } from '@jest/globals';
import { describeWith } from '../guide.js';
import { StandIn } from './stand-in.js';
import { unexpected } from '../waiting-clients.js';

let service: StandIn;
afterEach(() => service.close());

/** With the clock of the machine: the number of lines that a block writes depends on it. */
const serve = async (listener: RequestListener) => (service = await StandIn.open(listener, 'real'));

const NAMES = ['read_all', 'wait_by_polling', 'wait_by_stream', 'create_once', 'fire_hook'];

/** Responses that end within their headers. */
const CUT = ['HTTP/1.1 200', 'HTTP/1.1 200 OK\r\nCont', 'HTTP/1.1 200 OK\r\nContent-Type: '];

const seconds = (since: number) => (performance.now() - since) / 1_000;

const CONNECTED = { version: 2, status: 'CONNECTED', reason: 'connected' };

/** What the service sends to each block in the end. */
function succeed(url: string, response: ServerResponse): void {
  if (!url.endsWith('/stream')) {
    const body = { data: [], id: 'wf_any', run_id: 'run_any', status: 'connected', version: 2 };
    return void response.end(JSON.stringify(body));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: next\ndata: ${JSON.stringify({ data: { integrationStatusChanged: CONNECTED } })}\n\n`);
}

const PROGRAMS = { py: ['python3'], sh: ['bash', 'curl', 'jq', 'openssl'] };

for (const [extension, programs] of Object.entries(PROGRAMS)) {
  describeWith(programs, `the blocks while the service is away, *.${extension}`, () => {
    it.each(NAMES)(`%s.${extension} goes on, and pauses as it is asked to`, async (name) => {
      const refusals = [
        ...Array<[number, string?]>(60).fill([503]),
        ...[[408], [502], [504], [503, '0'], [503, 'Thu, 26 Nov 2026 02:20:00 GMT'], [429, '7']],
      ] as [number, string?][];
      let requests = 0;
      await serve(({ url, socket }, response) => {
        const [status, retryAfter] = refusals[requests] ?? [];
        requests += 1;
        if (requests === 10) return void socket.destroy();
        // curl and http.client take a response that ends within its headers for a whole one.
        const cut = CUT[requests - 11];
        if (cut !== undefined) return void socket.end(cut);
        if (status === undefined) return succeed(url!, response);
        // The page of a proxy.
        response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('<h1>Away</h1>');
      });
      const began = performance.now();
      const run = service.copy.start(`${name}.${extension}`, service.env);
      expect([await run.exit, unexpected(run)]).toEqual([0, '']);
      expect(run.errors).toMatch(/^Trying again: .*503.*\n/);
      expect(run.errors).not.toContain('wfk_any');
      // One line in five seconds, though there were more than 60 attempts. A shell's clock counts whole seconds.
      expect(run.errors.split('\n').length - 1).toBeLessThanOrEqual(1 + (seconds(began) + 1) / 5);
      const waited = service.pauses();
      expect(waited).toHaveLength(refusals.length);
      expect(Math.min(...waited)).toBeGreaterThanOrEqual(1);
      expect(Math.floor(waited.at(-1)!)).toBe(7);
      // A block that waits for a connection hears of it soon after the service is back.
      if (name.startsWith('wait')) expect(Math.max(...waited.slice(0, -1))).toBeLessThanOrEqual(2);
    });

    it.each(['read_all', 'wait_by_polling', 'create_once', 'fire_hook'])(
      `%s.${extension} fails after the response of another server`,
      async (name) => {
        for (const status of [200, 404]) {
          await serve((_, response) => response.writeHead(status).end('<h1>Welcome to the hotel</h1>'));
          const run = service.copy.start(`${name}.${extension}`, service.env);
          expect([status, await run.exit, run.lines]).toEqual([status, expect.any(Number), []]);
          expect(await run.exit).toBeGreaterThan(0);
          expect(service.pauses()).toEqual([]);
          service.close();
        }
      },
    );

    it(`wait_by_polling.${extension} polls again at once after a poll that took its time`, async () => {
      let requests = 0;
      await serve(({ headers }, response) => {
        requests += 1;
        const isOver = requests === 4;
        if (!isOver) response.setHeader('link', `<http://${headers.host}/v1/next>; rel="monitor"`);
        const body = JSON.stringify({ status: isOver ? 'connected' : 'pending', version: isOver ? 2 : 1 });
        setTimeout(() => response.end(body), requests === 2 || requests === 3 ? 2_500 : 0);
      });
      const run = service.copy.start(`wait_by_polling.${extension}`, service.env);
      expect([await run.exit, run.lines, service.pauses()]).toEqual([0, ['pending', 'connected'], []]);
    });
  });
}
