import { startTestServer, type TestServer } from '../support/server.js';
import { openSocket, openStream } from './connections.js';
import { defaultAccount, makeKey, statusWith } from './key-world.js';
import { until } from '../support/until.js';
import { Client } from '../support/http/client.js';
import { gauge } from '../graphql/subscriptions/changes.js';
import { LivedTime } from '../support/lived-time.js';

let one: TestServer;
let two: TestServer;
let accountId: string;

beforeAll(async () => {
  one = await startTestServer();
  two = await startTestServer({ database: one.database, clock: one.clock });
  accountId = await defaultAccount(one);
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const revoke = (id: string) => one.apiKeys.revoke(accountId, id);

/** Uses the key for a second. @returns the status of a request after that second. */
async function statusAfterSecond(secret: string): Promise<number> {
  for (const end = performance.now() + 1_000; performance.now() < end;) await statusWith(two, secret);
  return statusWith(two, secret);
}

describe('a key that another process revoked', () => {
  it('is refused within a second, though it is used all the time', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { apiKey, secret } = await makeKey(one);
      expect(await statusWith(two, secret)).toBe(200);
      await revoke(apiKey.id);
      expect(await statusAfterSecond(secret)).toBe(401);
      expect(await statusWith(one, secret)).toBe(401);
    }
  });

  it('has its WebSockets closed with 4403 and its event streams ended within a second', async () => {
    const { apiKey, secret } = await makeKey(one);
    const kept = await makeKey(one);
    const sockets = await Promise.all([openSocket(one, secret), openSocket(two, secret), openSocket(two, kept.secret)]);
    const streams = await Promise.all([openStream(one, secret), openStream(two, secret), openStream(two, kept.secret)]);
    const time = new LivedTime();
    await revoke(apiKey.id);
    const ended = () =>
      sockets.slice(0, 2).every(({ closed }) => closed) && streams.slice(0, 2).every(({ ended }) => ended);
    await until(ended);
    expect(time.stop()).toBeLessThan(1_000);
    expect(sockets.map(({ closed }) => closed)).toEqual([4403, 4403, undefined]);
    expect(streams.map(({ ended }) => ended)).toEqual([true, true, false]);
    sockets[2].close();
    streams[2].close();
  });

  it('has its long polls answered with 401 within a second', async () => {
    const { apiKey, secret } = await makeKey(one);
    const client = new Client(one.baseUrl, secret);
    const { body: flow } = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'Waits', status: 'active' } });
    const delay = { name: 'wait', kind: 'delay', config: { seconds: 3_600 } };
    await client.rest('PUT', `/workflows/${workflow.id}/actions`, { body: { actions: [delay] } });
    await client.rest('POST', '/triggers', { body: { workflow_id: workflow.id, type: 'manual', config: {} } });
    const { body: run } = await client.rest('POST', `/workflows/${workflow.id}/runs`, { body: {} });
    const paths = [`/integrations/${flow.integration_id}?wait=30`, `/runs/${run.id}?wait=30`];
    const waits = [one, two].flatMap((server) =>
      paths.map((path) => new Client(server.baseUrl, secret).rest('GET', path)),
    );
    for (const [server, name] of [one, two].flatMap((each) =>
      ['change_listeners', 'run_listeners'].map((gaugeName) => [each, gaugeName] as const),
    )) {
      await until(async () => (await gauge(server, name)) > 0);
    }
    const time = new LivedTime();
    await revoke(apiKey.id);
    const answers = await Promise.all(waits);
    expect(time.stop()).toBeLessThan(1_000);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it('is refused within a second even without notifications: the LISTEN connections die all the time', async () => {
    const stop = new AbortController();
    let killed = 0;
    const killer = (async () => {
      while (!stop.signal.aborted) {
        const rows = await one.db.query<{ done: boolean }>(
          `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'workflow-gateway listen'`,
        );
        killed += rows.length;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    try {
      for (let i = 0; i < 3; i += 1) {
        const { apiKey, secret } = await makeKey(one);
        const [socket, stream] = [await openSocket(two, secret), await openStream(two, secret)];
        expect(await statusWith(two, secret)).toBe(200);
        await revoke(apiKey.id);
        expect(await statusAfterSecond(secret)).toBe(401);
        await until(() => socket.closed !== undefined && stream.ended);
        expect(socket.closed).toBe(4403);
      }
    } finally {
      stop.abort();
      await killer;
    }
    expect(killed).toBeGreaterThan(3);
  });
});

describe('open connections of a key', () => {
  it('end when the key expires', async () => {
    const { secret } = await makeKey(one, { expiresAt: new Date(one.clock.now().getTime() + 3_600_000) });
    const [socket, stream] = [await openSocket(one, secret), await openStream(two, secret)];
    await one.advance(3_600_000 - 300_000);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect([socket.closed, stream.ended]).toEqual([undefined, false]);
    await one.advance(300_000);
    await until(() => socket.closed !== undefined && stream.ended);
    expect(socket.closed).toBe(4403);
  });

  it('end with the overlap of a rotation, and not before', async () => {
    const { apiKey, secret } = await makeKey(one);
    const [socket, stream] = [await openSocket(two, secret), await openStream(one, secret)];
    await one.apiKeys.rotate(accountId, apiKey.id, 1);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect([socket.closed, stream.ended]).toEqual([undefined, false]);
    await one.advance(3_600_000);
    await until(() => socket.closed !== undefined && stream.ended);
    expect(socket.closed).toBe(4403);
  });

  it('end at once with an overlap of 0', async () => {
    const { apiKey, secret } = await makeKey(one);
    const [socket, stream] = [await openSocket(two, secret), await openStream(one, secret)];
    await one.apiKeys.rotate(accountId, apiKey.id, 0);
    await until(() => socket.closed !== undefined && stream.ended);
    expect(socket.closed).toBe(4403);
  });
});
