import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { KeptAliveClients } from './support/kept-alive-clients.js';
import { Observer } from './support/observer.js';
import { ROUNDS } from './support/rounds.js';

const LANES = 8;
const CONNECTIONS = 64;

describe('two processes, each restarted in its turn under kept-alive connections', () => {
  let database: TestDatabase;
  let sql: Observer;
  let envs: Record<string, string>[];
  let services: ServiceProcess[];
  let clients: KeptAliveClients;

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
    clients = new KeptAliveClients(ports, await sql.key(), CONNECTIONS);
  });
  afterAll(async () => {
    await clients.stop();
    await Promise.all(services.map((service) => service.kill()));
    await sql.close();
    await database.drop();
  });

  it('resets no connection and fails no request', async () => {
    const { outcomes } = clients;
    clients.start(LANES);
    for (let restart = 0; restart < ROUNDS; restart += 1) {
      const index = restart % 2;
      const { done, closing } = outcomes;
      await until(() => clients.isRoundSince(done));
      expect(await services[index]!.stop()).toBe(0);
      services[index] = await ServiceProcess.start(envs[index]!);
      expect(outcomes.closing).toBeGreaterThan(closing);
    }
    expect((await clients.stop()).failed).toEqual([]);
  });
});
