import { type IncomingMessage, type ServerResponse } from 'node:http';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { hookedWorkflow } from './support/hooked-workflow.js';
import { Observer } from './support/observer.js';
import { RunTarget } from './support/run-target.js';

const BYSTANDERS = 5;

describe('a run that takes its workers with it', () => {
  let database: TestDatabase;
  let sql: Observer;
  let target: RunTarget;
  let api: TestServer;
  let client: Client;
  let worker: ServiceProcess | undefined;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = await Observer.open(database.url);
    target = await RunTarget.start();
    api = await startTestServer({ database, env: { ROLES: 'api' } });
    client = new Client(api.baseUrl, await api.key());
    env = {
      PORT: String(await freePort()),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      ALLOW_PRIVATE_NETWORK: 'true',
      ROLES: 'worker',
    };
  });
  afterAll(async () => {
    await worker?.kill();
    target.close();
    await api.close();
    await sql.close();
    await database.drop();
  });

  async function fire(action: string): Promise<string> {
    const hook = await hookedWorkflow(client, [target.call(action)]);
    return (await client.send('POST', new URL(hook).pathname, { body: '{}' })).body.run_id as string;
  }

  /** Advances ten seconds without a heartbeat of the worker. */
  async function lapse(): Promise<void> {
    await sql.rows(`UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'`);
  }

  it('fails as `worker_lost` after the third, without harm to other runs', async () => {
    let deaths = 0;
    let dying: Promise<void> | undefined;
    const held: ServerResponse[] = [];
    target.answer = (request: IncomingMessage, response) => {
      if (request.url !== '/poison') return deaths < 2 ? void held.push(response) : void response.end('{}');
      deaths += 1;
      dying = worker!.kill();
    };
    const bystanders = await Promise.all(Array.from({ length: BYSTANDERS }, () => fire('slow')));
    const poison = await fire('poison');
    for (let death = 1; death <= 3; death += 1) {
      worker = await ServiceProcess.start(env);
      await until(() => deaths === death);
      await dying;
      await lapse();
    }
    target.answer = (_, response) => void response.end('{}');
    worker = await ServiceProcess.start(env);
    const run = async (id: string) => (await client.rest('GET', `/runs/${id}`)).body;
    await until(async () => (await run(poison)).finished_at !== null);
    expect(await run(poison)).toMatchObject({
      status: 'failed',
      status_reason: 'worker_lost',
      error: { code: 'worker_lost' },
      steps: [{ status: 'failed', attempt: 3, error: { code: 'worker_lost' } }],
    });
    for (const id of bystanders) {
      await until(async () => (await run(id)).finished_at !== null);
      expect(await run(id)).toMatchObject({ status: 'succeeded' });
    }
    expect(await sql.rows(`SELECT 1 FROM pgboss.job WHERE name = 'runs'`)).toEqual([]);
  });

  it('resets the count of lost workers once the next one has made progress', async () => {
    let dying: Promise<void> | undefined;
    let hung = 0;
    target.answer = (request, response) => {
      if (request.url === '/deadly' && dying === undefined) dying = worker!.kill();
      else if (request.url === '/hanging') hung += 1;
      else response.end('{}');
    };
    const hook = await hookedWorkflow(client, [target.call('deadly'), target.call('hanging')]);
    const answer = await client.send('POST', new URL(hook).pathname, { body: '{}' });
    await until(() => dying !== undefined);
    await dying;
    await lapse();
    worker = await ServiceProcess.start(env);
    await until(() => hung === 1);
    const lost = `SELECT workers_lost FROM runs WHERE id = $1`;
    expect(await sql.rows(lost, [fromPublicId('run', answer.body.run_id as string)])).toEqual([{ workers_lost: 0 }]);
  });
});
