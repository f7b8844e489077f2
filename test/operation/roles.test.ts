import WebSocket from 'ws';
import { Client } from '../support/http/client.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

describe('an API process beside a worker process', () => {
  let database: TestDatabase;
  let world: RunWorld;
  let worker: TestServer;
  const workers: TestServer[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    world = await RunWorld.open({ database, env: { ROLES: 'api' } });
  });
  afterAll(async () => {
    for (const each of workers) await each.close();
    await world.close();
    await database.drop();
  });

  const metric = async (server: TestServer, name: string): Promise<number> => {
    const { body } = await new Client(server.baseUrl).send<string>('GET', '/metrics');
    const line = body.split('\n').find((each) => each.startsWith(`${name} `));
    if (line === undefined) throw new Error(`no ${name} in\n${body}`);
    return Number(line.split(' ').at(-1));
  };

  it('leaves runs queued, and reports their number, until a worker starts', async () => {
    const { hook } = await world.workflow([world.call('first')]);
    const ids = [await world.fire(hook), await world.fire(hook), await world.fire(hook)];
    expect(await metric(world.server, 'run_jobs{state="waiting"}')).toBe(3);
    expect(await metric(world.server, 'runs_open{status="queued"}')).toBe(3);
    // The time of two polls of an idle worker.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(world.received).toHaveLength(0);

    worker = await startTestServer({ database, env: { ROLES: 'worker', ALLOW_PRIVATE_NETWORK: 'true' } });
    workers.push(worker);
    for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: 'succeeded' });
    expect(await metric(worker, 'runs_ended_total{status="succeeded"}')).toBe(3);
    expect(await metric(world.server, 'runs_ended_total{status="succeeded"}')).toBe(0);
    expect(await metric(worker, 'run_jobs{state="waiting"}')).toBe(0);
  });

  it('reports running and ended runs at the worker', async () => {
    const answered = Promise.withResolvers<void>();
    world.reply = async () => answered.promise.then(() => ({ status: 404 }));
    const { hook } = await world.workflow([world.call('slow')]);
    const id = await world.fire(hook);
    // Under way once taken from the queue, running once that is recorded.
    await until(async () => (await metric(world.server, 'runs_open{status="running"}')) === 1);
    expect(await metric(worker, 'runs_under_way')).toBe(1);
    expect(await metric(world.server, 'run_jobs{state="held"}')).toBe(1);
    answered.resolve();
    await world.ended(id);
    expect(await metric(worker, 'runs_ended_total{status="failed"}')).toBe(1);
    await until(async () => (await metric(worker, 'runs_under_way')) === 0);
  });

  it('answers monitoring at the worker, and nothing else', async () => {
    const anonymous = new Client(worker.baseUrl, world.client.key);
    expect((await anonymous.send('GET', '/livez')).status).toBe(200);
    expect((await anonymous.send('GET', '/readyz')).body).toEqual({ status: 'ready' });
    for (const path of ['/v1/workflows', '/graphql', '/graphql/stream', '/hooks/x', '/docs', '/']) {
      expect((await anonymous.send('GET', path)).status).toBe(404);
    }
    const socket = new WebSocket(worker.ws(), 'graphql-transport-ws');
    const refused = await new Promise<string>((resolve) => socket.once('error', ({ message }) => resolve(message)));
    expect(refused).toContain('404');
  });

  it('reports a stopping worker as not ready', async () => {
    const another = await startTestServer({ database, env: { ROLES: 'worker', DRAIN_DELAY: '300' } });
    const closing = another.close();
    expect((await new Client(another.baseUrl).send('GET', '/readyz')).status).toBe(503);
    await closing;
  });
});
