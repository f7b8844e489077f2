import { toPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { Balancer } from './support/balancer.js';
import { Observer } from './support/observer.js';
import { ResumingListener } from './support/resuming-listener.js';
import { ROUNDS } from './support/rounds.js';

const LANES = 4;
const CREDENTIALS = { api_key: 'sandbox_valid_key' };

describe('two processes behind a balancer, each restarted in its turn under load', () => {
  let database: TestDatabase;
  let sql: Observer;
  let balancer: Balancer;
  let client: Client;
  let envs: Record<string, string>[];
  let services: ServiceProcess[];
  const listeners: ResumingListener[] = [];
  let working = true;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = await Observer.open(database.url);
    const ports = [await freePort(), await freePort()];
    envs = ports.map((port) => ({
      PORT: String(port),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    }));
    services = await Promise.all(envs.map((env) => ServiceProcess.start(env)));
    balancer = await Balancer.start(ports);
    client = new Client(`http://localhost:${balancer.port}`, await sql.key());
  });
  afterAll(async () => {
    working = false;
    for (const listener of listeners) listener.stop();
    await balancer.close();
    await Promise.all(services.map((service) => service.kill()));
    await sql.close();
    await database.drop();
  });

  /** Sends every kind of request repeatedly. @returns the outcome of each. */
  async function load(hook: string): Promise<string[]> {
    const outcomes: string[] = [];
    const ask = async (name: string, work: () => Promise<{ status: number; body: unknown }>) => {
      const outcome = await work().then(
        ({ status, body }) => (status < 300 ? 'done' : `${status} ${JSON.stringify(body)}`),
        (error: Error) => `${error.message} ${String(error.cause)}`,
      );
      outcomes.push(`${name} ${outcome}`);
    };
    const lane = async () => {
      while (working) {
        await ask('list', () => client.send('GET', '/v1/workflows'));
        await ask('create', () => client.send('POST', '/v1/workflows', { body: { name: 'x' } }));
        await ask('graphql', () => client.graphql('{ workflows { meta { total } } }'));
        await ask('hook', () => client.send('POST', hook, { body: '1' }));
        const body = { type: 'sandbox_api_key', credentials: CREDENTIALS };
        await ask('connect', () => client.send('POST', '/v1/integrations/connect', { body }));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return outcomes;
  }

  async function restart(index: number): Promise<void> {
    expect(await services[index]!.stop()).toBe(0);
    services[index] = await ServiceProcess.start(envs[index]!);
    await until(() => balancer.isComplete);
  }

  it('fails no request, and its listeners resume after 1001 with nothing missed', async () => {
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'h', status: 'active' } });
    const trigger = { workflow_id: workflow.id, type: 'webhook' };
    const { body: hooked } = await client.rest('POST', '/triggers', { body: trigger });
    const hook = new URL(hooked.webhook_url as string).pathname;
    const url = client.baseUrl.replace('http', 'ws') + '/graphql';
    for (let count = 0; count < 4; count += 1) listeners.push(new ResumingListener(url, client.key!));
    await Promise.all(listeners.map((listener) => listener.start()));

    const loading = load(hook);
    await until(() => listeners.every(({ heard }) => heard.length > 0));
    for (let round = 0; round < Math.ceil(ROUNDS / 2); round += 1) for (const index of [0, 1]) await restart(index);
    const before = balancer.shares;
    await until(() => balancer.shares.every((share, index) => share > before[index]! + 50));
    working = false;
    const outcomes = await loading;

    expect(outcomes.filter((outcome) => !outcome.endsWith(' done'))).toEqual([]);
    const changes = await sql.rows<{ id: string }>(`SELECT id FROM integration_changes ORDER BY position`);
    const all = changes.map(({ id }) => toPublicId('chg', id));
    for (const listener of listeners) {
      await until(() => listener.heard.at(-1) === all.at(-1));
      expect(listener.heard).toEqual(all.slice(all.indexOf(listener.heard[0]!)));
    }
    const codes = listeners.flatMap(({ closeCodes }) => closeCodes);
    expect(codes.length).toBeGreaterThanOrEqual(listeners.length);
    expect(new Set(codes)).toEqual(new Set([1001]));
  });
});
