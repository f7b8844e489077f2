import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { Copy, describeWith } from './guide.js';
import { unexpected } from './waiting-clients.js';

let service: Server;
let copy: Copy;
afterEach(() => {
  copy.close();
  service.close();
});

const NAMES = ['read_all', 'wait_by_polling', 'wait_by_stream', 'create_once', 'fire_hook'];

/** A copy whose blocks call a stand-in for the service, and whose pauses take no time. */
async function serve(listener: RequestListener): Promise<Readonly<Record<string, string>>> {
  service = createServer((request, response) => {
    request.resume().on('end', () => listener(request, response));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const BASE_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  copy = new Copy({ BASE_URL, API_KEY: 'wfk_any', INTEGRATION_ID: 'int_any' });
  const PAUSES = join(copy.folder, 'pauses');
  copy.write('bin/sleep', '#!/bin/sh\necho "$1" >>"$PAUSES"\n');
  chmodSync(join(copy.folder, 'bin/sleep'), 0o755);
  copy.write(
    'bin/sitecustomize.py',
    `import os, time\ntime.sleep = lambda seconds: print(seconds, file=open(os.environ["PAUSES"], "a"))\n`,
  );
  const bin = join(copy.folder, 'bin');
  const hook = { WEBHOOK_URL: `${BASE_URL}/hooks/any`, HOOK_SECRET: 'any' };
  return { ...hook, PATH: `${bin}:${process.env.PATH}`, PYTHONPATH: bin, PAUSES };
}

/** The seconds for which the blocks would have paused. */
function pauses(): number[] {
  const file = join(copy.folder, 'pauses');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').map(Number) : [];
}

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
        ...[[502], [504], [503, '0'], [503, 'Thu, 26 Nov 2026 02:20:00 GMT'], [429, '7']],
      ] as [number, string?][];
      let requests = 0;
      const env = await serve(({ url, socket }, response) => {
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
      const run = copy.start(`${name}.${extension}`, env);
      expect([await run.exit, unexpected(run)]).toEqual([0, '']);
      expect(run.errors).toMatch(/^Trying again: .*503.*\n/);
      expect(run.errors).not.toContain('wfk_any');
      // One line in five seconds, though there were 64 attempts. A shell's clock counts whole seconds.
      expect(run.errors.split('\n').length - 1).toBeLessThanOrEqual(1 + (seconds(began) + 1) / 5);
      const waited = pauses();
      expect(waited).toHaveLength(refusals.length);
      expect(Math.min(...waited)).toBeGreaterThanOrEqual(1);
      expect(Math.floor(waited.at(-1)!)).toBe(7);
      // A block that waits for a connection hears of it soon after the service is back.
      if (name.startsWith('wait')) expect(Math.max(...waited.slice(0, -1))).toBeLessThanOrEqual(2);
      service.closeAllConnections();
    });

    it.each(['read_all', 'wait_by_polling', 'create_once', 'fire_hook'])(
      `%s.${extension} fails after the response of another server`,
      async (name) => {
        for (const status of [200, 404]) {
          const env = await serve((_, response) => response.writeHead(status).end('<h1>Welcome to the hotel</h1>'));
          const run = copy.start(`${name}.${extension}`, env);
          expect([status, await run.exit, run.lines]).toEqual([status, expect.any(Number), []]);
          expect(await run.exit).toBeGreaterThan(0);
          expect(pauses()).toEqual([]);
          copy.close();
          service.close();
        }
      },
    );

    it(`wait_by_polling.${extension} polls again at once after a poll that took its time`, async () => {
      let requests = 0;
      const env = await serve(({ headers }, response) => {
        requests += 1;
        const isOver = requests === 4;
        if (!isOver) response.setHeader('link', `<http://${headers.host}/v1/next>; rel="monitor"`);
        const body = JSON.stringify({ status: isOver ? 'connected' : 'pending', version: isOver ? 2 : 1 });
        setTimeout(() => response.end(body), requests === 2 || requests === 3 ? 2_500 : 0);
      });
      const run = copy.start(`wait_by_polling.${extension}`, env);
      expect([await run.exit, run.lines, pauses()]).toEqual([0, ['pending', 'connected'], []]);
    });
  });
}
