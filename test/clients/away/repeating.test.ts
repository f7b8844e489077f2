import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { describeWith } from '../guide.js';
import { StandIn, START } from './stand-in.js';
import { unexpected } from '../waiting-clients.js';

let service: StandIn;
let other: StandIn | undefined;
afterEach(() => {
  service.close();
  other?.close();
  other = undefined;
});

const serve = async (listener: RequestListener) => (service = await StandIn.open(listener));
const keyFile = () => join(service.copy.folder, 'create_once.key');
const keyOf = ({ headers }: IncomingMessage) => headers['idempotency-key'];

const PROGRAMS = { py: ['python3'], sh: ['bash', 'curl', 'jq', 'openssl'] };

for (const [extension, programs] of Object.entries(PROGRAMS)) {
  const start = (name: string, env: Readonly<Record<string, string>> = {}) =>
    service.copy.start(`${name}.${extension}`, { ...service.env, ...env });

  describeWith(programs, `the blocks that repeat, *.${extension}`, () => {
    it('create_once ends with the sentence of a 502 of the service, after which a call may have taken effect', async () => {
      let requests = 0;
      await serve((_, response) => {
        requests += 1;
        if (requests < 3) return void response.writeHead(502).end('<h1>Bad Gateway</h1>');
        response.writeHead(502, { 'content-type': 'application/json' });
        response.end('{"code":"provider_unavailable","message":"It could not be reached."}');
      });
      const run = start('create_once');
      expect([await run.exit, requests]).toEqual([1, 3]);
      expect(unexpected(run)).toBe('provider_unavailable: It could not be reached.\n');
    });

    it('create_once goes on after 409 for a request in flight, and not after another', async () => {
      let requests = 0;
      await serve((_, response) => {
        requests += 1;
        const code = requests === 1 ? 'idempotency_in_progress' : 'conflict';
        response.writeHead(409, { 'retry-after': '1' }).end(JSON.stringify({ code, message: 'No.' }));
      });
      const run = start('create_once');
      expect([await run.exit, requests, unexpected(run)]).toEqual([1, 2, 'conflict: No.\n']);
    });

    it('create_once goes on after a 409 whose body was cut off', async () => {
      const keys: unknown[] = [];
      await serve((request, response) => {
        keys.push(keyOf(request));
        if (keys.length > 1) return void response.writeHead(201).end('{"id":"wf_1"}');
        response.writeHead(409, { 'content-length': '102' }).write('{"code":');
        setTimeout(() => request.socket.destroy(), 100);
      });
      const run = start('create_once');
      expect([await run.exit, run.lines, new Set(keys).size, keys.length]).toEqual([0, ['wf_1'], 1, 2]);
    });

    it.each([
      ['create_once', `Outcome unknown: see whether the request took effect, then remove create_once.key.\n`],
      ['fire_hook', 'Outcome unknown: see whether there is a run of the event.\n'],
    ])('%s gives up after a while', async (name, message) => {
      let requests = 0;
      await serve((_, response) => {
        requests += 1;
        response.writeHead(503, { 'retry-after': '4' }).end();
      });
      const run = start(name, { REPEAT_SECONDS: '30' });
      expect([await run.exit, unexpected(run), run.lines]).toEqual([1, message, []]);
      expect(requests).toBeGreaterThanOrEqual(8);
      expect(requests).toBeLessThanOrEqual(9);
    });

    it('create_once stores key and time before the first attempt, goes on with them, and removes them in the end', async () => {
      const keys: unknown[] = [];
      let status = 400;
      await serve((request, response) => {
        keys.push(keyOf(request));
        expect(readFileSync(keyFile(), 'utf8')).toBe(`${String(keyOf(request))} ${START}\n`);
        response.writeHead(status).end('{"id":"wf_1","code":"validation_error","message":"No."}');
      });
      expect(await start('create_once').exit).toBe(1);
      status = 201;
      const run = start('create_once');
      expect([await run.exit, run.lines, existsSync(keyFile())]).toEqual([0, ['wf_1'], false]);
      expect(await start('create_once').exit).toBe(0);
      expect(keys[0]).toMatch(/^[\w-]{32,}$/);
      expect([keys[1], new Set(keys).size]).toEqual([keys[0], 2]);
    });

    it('create_once sends nothing 23 hours after the first attempt of a former process', async () => {
      const keys: unknown[] = [];
      await serve((request, response) => {
        keys.push(keyOf(request));
        response.end('{"id":"wf_1"}');
      });
      service.copy.write('create_once.key', `former ${START - 82_800}\n`);
      const run = start('create_once');
      expect([await run.exit, run.lines, keys]).toEqual([1, [], []]);
      expect(run.errors).toMatch(/^Outcome unknown: .*\n$/);
      service.copy.write('create_once.key', `former ${START - 82_799}\n`);
      expect([await start('create_once').exit, keys]).toEqual([0, ['former']]);
    });

    it('fire_hook fails when its post started nothing', async () => {
      await serve((_, response) => response.writeHead(202).end('{"accepted":false,"run_id":"run_1","reason":"loop"}'));
      const run = start('fire_hook');
      expect([await run.exit, run.lines, run.errors]).toEqual([1, ['run_1 loop'], 'loop: the post started nothing.\n']);
    });

    it.each(['read_all', 'wait_by_polling'])('%s follows Link at its own BASE_URL only', async (name) => {
      const strange: string[] = [];
      other = await StandIn.open((request, response) => {
        strange.push(request.url!);
        response.end('{}');
      });
      const urls: string[] = [];
      await serve((request, response) => {
        urls.push(request.url!);
        const relation = name === 'read_all' ? 'next' : 'monitor';
        const hosts = [other!.url, `${other!.url}/below`, 'http://nowhere.invalid:1'];
        const host = hosts[urls.length - 1];
        if (host !== undefined)
          response.setHeader('link', `<${host}/v1/things?at=${urls.length}&more=1>; rel="${relation}"`);
        const body = { data: [{ id: `wf_${urls.length}`, name: 'a' }], version: urls.length, status: 'connected' };
        response.end(JSON.stringify(body));
      });
      const run = start(name, { BASE_URL: `${service.url}/gateway` });
      expect([await run.exit, run.errors, strange]).toEqual([0, '', []]);
      const [first, ...more] = urls;
      expect(first).toMatch(/^\/gateway\/v1\//);
      expect(more).toEqual([1, 2, 3].map((at) => `/gateway/v1/things?at=${at}&more=1`));
    });

    it.each(['read_all', 'wait_by_polling', 'wait_by_stream', 'create_once', 'fire_hook'])(
      '%s follows no redirect, which could have its key',
      async (name) => {
        const strange: string[] = [];
        other = await StandIn.open((request, response) => {
          strange.push(request.url!);
          response.end('{"data":[],"id":"wf_1","run_id":"run_1","status":"connected","version":1}');
        });
        for (const status of [301, 302, 307, 308]) {
          await serve((_, response) => response.writeHead(status, { location: `${other!.url}/v1/strange` }).end());
          const run = start(name);
          expect([status, (await run.exit) === 0, run.lines, strange]).toEqual([status, false, [], []]);
          service.close();
        }
      },
    );
  });
}
