import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { BLOCKS, Copy, describeWith } from './guide.js';

let service: Server;
let copy: Copy;
afterEach(() => {
  copy.close();
  service.close();
});

/** Starts a stand-in for the service. @returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  service = createServer(listener).listen(0, '127.0.0.1');
  await once(service, 'listening');
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

const PROGRAMS = { py: ['python3'], sh: ['bash', 'curl', 'jq'] };

for (const [extension, programs] of Object.entries(PROGRAMS)) {
  describeWith(programs, `wait_by_polling.${extension}`, () => {
    it('pauses after a response without news, as a service that stops gives them at once', async () => {
      const times: number[] = [];
      const url = await serve((_, response) => {
        times.push(Date.now());
        const isOver = times.length === 4;
        if (!isOver) response.setHeader('link', `<${url}/v1/next>; rel="monitor"`);
        response.end(JSON.stringify({ status: isOver ? 'connected' : 'pending', version: isOver ? 2 : 1 }));
      });
      copy = new Copy({ BASE_URL: url, API_KEY: 'wfk_any', INTEGRATION_ID: 'int_any' });
      expect(await copy.run(`wait_by_polling.${extension}`)).toEqual(['pending', 'connected']);
      // The second and the third response had no news.
      expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(1_000);
      expect(times[3]! - times[2]!).toBeGreaterThanOrEqual(1_000);
    });
  });
}

for (const [extension, programs] of Object.entries(PROGRAMS)) {
  describeWith(programs, `read_all.${extension}`, () => {
    it('goes on after a lost connection, and after 429 and 503 when Retry-After is over', async () => {
      const times: number[] = [];
      const url = await serve(({ socket }, response) => {
        times.push(Date.now());
        if (times.length === 2) return void socket.destroy();
        const isRefused = times.length === 1 || times.length === 3;
        if (isRefused) response.writeHead(times.length === 1 ? 429 : 503, { 'retry-after': '3' });
        else if (times.length === 4) response.setHeader('link', `<${url}/v1/next>; rel="next"`);
        response.end(isRefused ? '{}' : JSON.stringify({ data: [{ id: `wf_${times.length}`, name: '$(id) * one' }] }));
      });
      copy = new Copy({ BASE_URL: url, API_KEY: 'wfk_any', TMPDIR: '.' });
      const before = readdirSync(copy.folder);
      expect(await copy.run(`read_all.${extension}`)).toEqual(['wf_4 $(id) * one', 'wf_5 $(id) * one']);
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(3_000);
      expect(times[3]! - times[2]!).toBeGreaterThanOrEqual(3_000);
      expect(readdirSync(copy.folder)).toEqual(before);
    });
  });
}

describeWith(PROGRAMS.sh, 'the blocks for a shell', () => {
  it('leave no file when the service refuses their key', async () => {
    const url = await serve((_, response) => response.writeHead(401).end('{}'));
    copy = new Copy({ BASE_URL: url, API_KEY: 'wfk_any', INTEGRATION_ID: 'int_any', TMPDIR: '.' });
    const before = readdirSync(copy.folder);
    for (const name of ['read_all.sh', 'wait_by_polling.sh', 'create_once.sh', 'fire_hook.sh']) {
      const env = { WEBHOOK_URL: url, HOOK_SECRET: 'any' };
      const exit = await copy.start(name, env).exit;
      const left = readdirSync(copy.folder).filter((file) => file !== 'create_once.key');
      expect([name, exit, left]).toEqual([name, 1, before]);
    }
  });
});

/** Runs a long timer at once, and writes its time to the standard error. */
const HASTE = `const wait = globalThis.setTimeout;
globalThis.setTimeout = (work, time, ...more) => {
  const isPause = time >= 400 && time < 1_000_000;
  if (isPause) console.error(time);
  return wait(work, isPause ? 0 : time, ...more);
};`;

it('graphql-sse.mjs pauses between its attempts for at most 8 seconds, and never for the same time', async () => {
  let attempts = 0;
  const url = await serve(({ socket }, response) => {
    attempts += 1;
    if (attempts <= 10) return void socket.destroy();
    response.writeHead(401).end();
  });
  copy = new Copy({ BASE_URL: url, API_KEY: 'wfk_any', INTEGRATION_ID: 'int_any', IDLE_SECONDS: '1000' });
  copy.write('haste.mjs', HASTE);
  const run = copy.start('graphql-sse.mjs', { NODE_OPTIONS: '--import=./haste.mjs' });
  expect([await run.exit, run.lines]).toEqual([1, []]);
  const [message, ...pauses] = run.errors.trimEnd().split('\n').reverse();
  expect(message).toBe('The service refuses the request with 401.');
  // Node.js adds a timer of its own.
  expect(new Set(pauses).size).toBeGreaterThanOrEqual(10);
  expect(Math.max(...pauses.map(Number))).toBeLessThanOrEqual(8_000);
});

it('every other block that reconnects pauses by the same rule', () => {
  const [, rule] = /retry: (.*\n.*Math\.random.*),\n/.exec(BLOCKS.get('graphql-sse.mjs')!)!;
  const sockets = [...BLOCKS].filter(([, code]) => code.includes('retryAttempts') && code.includes("'graphql-ws'"));
  expect(sockets.map(([name]) => name)).toHaveLength(5);
  for (const [name, code] of sockets)
    expect([name, code]).toEqual([name, expect.stringContaining(`retryWait: ${rule!}`)]);
});
