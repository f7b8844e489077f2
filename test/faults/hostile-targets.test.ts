import { type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { hookedWorkflow } from './support/hooked-workflow.js';
import { Observer } from './support/observer.js';
import { ROUNDS } from './support/rounds.js';
import { RunTarget } from './support/run-target.js';
import { LivedTime } from '../support/lived-time.js';

const ENV = { ALLOW_PRIVATE_NETWORK: 'true' };

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** Responses that end the step at once, with this error. */
const FATAL: Record<string, [Behaviour, string]> = {
  'an endless body': [
    (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', more);
      more();
    },
    'too_large',
  ],
  'a bomb of compressed data': [
    (_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(50_000_000)));
    },
    'too_large',
  ],
  'what only calls itself compressed': [
    (_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end('no gzip');
    },
    'invalid_answer',
  ],
  'headers without end': [
    (_, response) => {
      for (let n = 0; n < 2_000; n += 1) response.setHeader(`x-${n}`, 'y'.repeat(100));
      response.end();
    },
    'too_large',
  ],
  'a redirect': [(_, response) => void response.writeHead(307, { location: 'http://127.0.0.1/' }).end(), 'http_307'],
  'a refusal': [(_, response) => void response.writeHead(403).end(), 'http_403'],
};

/** Responses that lead to another attempt, with this error in between. */
const PASSING: Record<string, [Behaviour, string]> = {
  'garbage that is no HTTP': [({ socket }) => void socket.end('garbage\r\n\r\n'), 'network'],
  'half an answer': [
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    },
    'network',
  ],
  'a closed connection': [({ socket }) => void socket.destroy(), 'network'],
  'status 500': [(_, response) => void response.writeHead(500).end('{'), 'http_500'],
  'status 429': [(_, response) => void response.writeHead(429, { 'retry-after': '1' }).end(), 'http_429'],
  'status 503 and a nonsense Retry-After': [
    (_, response) => void response.writeHead(503, { 'retry-after': 'soon' }).end(),
    'http_503',
  ],
};

/** Targets without a complete response within 30 s. */
const HANGING: Record<string, Behaviour> = {
  'says nothing': () => undefined,
  'sends its headers byte by byte': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    const timer = setInterval(() => socket.write('y'), 1_000);
    socket.once('close', () => clearInterval(timer));
  },
  'sends its body byte by byte': (_, response) => {
    const timer = setInterval(() => response.write('y'), 1_000);
    response.once('close', () => clearInterval(timer));
  },
};

describe('a target', () => {
  let target: RunTarget;
  let database: TestDatabase;
  let sql: Observer;
  let server: TestServer;
  let client: Client;
  /** Runs whose call hangs. */
  const hanging: string[] = [];

  beforeAll(async () => {
    target = await RunTarget.start();
    database = await createTestDatabase();
    sql = await Observer.open(database.url);
    server = await startTestServer({ database, env: ENV });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(async () => {
    target.close();
    await server.close();
    await sql.close();
    await database.drop();
  });

  async function fire(behave: Behaviour): Promise<string> {
    target.answer = (request, response) =>
      request.url === '/quick' ? void response.end('{}') : behave(request, response);
    const hook = await hookedWorkflow(client, [target.call('target')]);
    return (await client.send('POST', new URL(hook).pathname, { body: '{}' })).body.run_id as string;
  }

  const run = async (id: string) => (await client.rest('GET', `/runs/${id}`)).body;

  async function ended(id: string): Promise<any> {
    await until(async () => (await run(id)).finished_at !== null);
    return run(id);
  }

  it.each(Object.entries(FATAL))('that responds with %s fails the step', async (_, [behave, code]) => {
    expect(await ended(await fire(behave))).toMatchObject({
      status: 'failed',
      error: { code },
      steps: [{ status: 'failed', attempt: 1, error: { code } }],
    });
  });

  it.each(Object.entries(PASSING))('that responds with %s is tried again', async (_, [behave, code]) => {
    const id = await fire(behave);
    await until(async () => (await run(id)).steps[0]?.error?.code === code);
    target.answer = (_request, response) => void response.end('{}');
    await server.advance(5_000);
    expect(await ended(id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 2, error: null }] });
    expect(new Set(target.keys.filter((key) => key.startsWith(id))).size).toBe(1);
  });

  it.each(Object.entries(HANGING))('that %s does not delay other runs', async (_, behave) => {
    const id = await fire(behave);
    await until(() => target.keys.some((key) => key.startsWith(id)));
    const hook = await hookedWorkflow(client, [target.call('quick')]);
    const quick = (await client.send('POST', new URL(hook).pathname, { body: '{}' })).body.run_id as string;
    expect(await ended(quick)).toMatchObject({ status: 'succeeded' });
    expect(await run(id)).toMatchObject({ status: 'running', steps: [{}] });
    hanging.push(id);
  });

  it('that hangs is aborted after 30 s, and tried again', async () => {
    // Only the long form waits for them.
    for (const id of ROUNDS > 2 ? hanging : []) {
      await until(async () => (await run(id)).steps[0].error?.code === 'timeout');
      expect(await run(id)).toMatchObject({ status: 'running', steps: [{}] });
    }
  });

  it('that hangs is aborted when the service stops: its runs return to the queue within 25 s, and continue elsewhere at once', async () => {
    const id = await fire(() => undefined);
    await until(() => target.keys.some((key) => key.startsWith(id)));
    const time = new LivedTime();
    await server.close();
    expect(time.stop()).toBeLessThan(25_000);
    const left = await sql.rows(`SELECT DISTINCT state, retry_count FROM pgboss.job WHERE name = 'runs'`);
    expect(left).toEqual([{ state: 'created', retry_count: 0 }]);
    expect(await sql.rows(`SELECT 1 FROM runs WHERE claim IS NOT NULL`)).toEqual([]);

    target.answer = (_, response) => void response.end('{}');
    server = await startTestServer({ database, clock: server.clock, env: ENV });
    client = new Client(server.baseUrl, client.key);
    // The service itself aborted the attempt, so it does not count.
    expect(await ended(id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }] });
  });
});
