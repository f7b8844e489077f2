import { readdirSync } from 'node:fs';
import { type RequestListener } from 'node:http';
import { afterEach, expect, it } from '@jest/globals';
import { BLOCKS, describeWith } from '../guide.js';
import { StandIn } from './stand-in.js';

let service: StandIn;
afterEach(() => service.close());

/** Without the environment of the stand-in, pauses take their time. */
const serve = async (listener: RequestListener) => (service = await StandIn.open(listener));

const PROGRAMS = { py: ['python3'], sh: ['bash', 'curl', 'jq'] };

for (const [extension, programs] of Object.entries(PROGRAMS)) {
  describeWith(programs, `wait_by_polling.${extension}`, () => {
    it('pauses after a response without news, as a service that stops gives them at once', async () => {
      const times: number[] = [];
      await serve((_, response) => {
        times.push(Date.now());
        const isOver = times.length === 4;
        if (!isOver) response.setHeader('link', `<${service.url}/v1/next>; rel="monitor"`);
        response.end(JSON.stringify({ status: isOver ? 'connected' : 'pending', version: isOver ? 2 : 1 }));
      });
      expect(await service.copy.run(`wait_by_polling.${extension}`)).toEqual(['pending', 'connected']);
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
      await serve(({ socket }, response) => {
        times.push(Date.now());
        if (times.length === 2) return void socket.destroy();
        const isRefused = times.length === 1 || times.length === 3;
        if (isRefused) response.writeHead(times.length === 1 ? 429 : 503, { 'retry-after': '3' });
        else if (times.length === 4) response.setHeader('link', `<${service.url}/v1/next>; rel="next"`);
        response.end(isRefused ? '{}' : JSON.stringify({ data: [{ id: `wf_${times.length}`, name: '$(id) * one' }] }));
      });
      const before = readdirSync(service.copy.folder);
      expect(await service.copy.run(`read_all.${extension}`, { TMPDIR: '.' })).toEqual([
        'wf_4 $(id) * one',
        'wf_5 $(id) * one',
      ]);
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(3_000);
      expect(times[3]! - times[2]!).toBeGreaterThanOrEqual(3_000);
      expect(readdirSync(service.copy.folder)).toEqual(before);
    });
  });
}

describeWith(PROGRAMS.sh, 'the blocks for a shell', () => {
  it('leave no file when the service refuses their key', async () => {
    await serve((_, response) => response.writeHead(401).end('{}'));
    const before = readdirSync(service.copy.folder);
    for (const name of ['read_all.sh', 'wait_by_polling.sh', 'create_once.sh', 'fire_hook.sh']) {
      const env = { WEBHOOK_URL: service.url, HOOK_SECRET: 'any', TMPDIR: '.' };
      const exit = await service.copy.start(name, env).exit;
      const left = readdirSync(service.copy.folder).filter((file) => file !== 'create_once.key');
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
  await serve(({ socket }, response) => {
    attempts += 1;
    if (attempts <= 10) return void socket.destroy();
    response.writeHead(401).end();
  });
  service.copy.write('haste.mjs', HASTE);
  const run = service.copy.start('graphql-sse.mjs', { NODE_OPTIONS: '--import=./haste.mjs', IDLE_SECONDS: '1000' });
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
