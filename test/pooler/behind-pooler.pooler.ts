import { hookedWorkflow } from '../faults/support/hooked-workflow.js';
import { ResumingListener } from '../faults/support/resuming-listener.js';
import { createStartedDatabase, type TestDatabase } from '../support/database/database.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { PgBouncer } from './support/pgbouncer.js';

const LANES = 8;
const ROUNDS = 6;

const MODES = [
  ['session', {}, () => ({})],
  [
    'transaction',
    { default_pool_size: '6' },
    (database: TestDatabase) => ({ DATABASE_DIRECT_URL: database.url, DATABASE_PREPARED: 'off' }),
  ],
] as const;

describe.each(MODES)(
  'two processes behind PgBouncer in %s mode, with its other settings at their defaults',
  (mode, settings, envOf) => {
    let database: TestDatabase;
    let bouncer: PgBouncer;
    let servers: TestServer[];
    let clients: Client[];
    let listeners: ResumingListener[];

    beforeAll(async () => {
      database = await createStartedDatabase();
      bouncer = await PgBouncer.start(database.url, { pool_mode: mode, ...settings });
      const env = { DATABASE_URL: bouncer.urlOf(database.url), ...envOf(database) };
      servers = [await startTestServer({ database, env: { ...env, ROLES: 'api' } })];
      servers.push(await startTestServer({ database, env, clock: servers[0]!.clock }));
      const key = await servers[0]!.key();
      clients = servers.map(({ url }) => new Client(url, key));
      listeners = servers.map((server) => new ResumingListener(server.ws(), key));
      await Promise.all(listeners.map((listener) => listener.start()));
    });
    afterAll(async () => {
      for (const listener of listeners) listener.stop();
      for (const server of servers) await server.close();
      await bouncer.close();
      await database.drop();
    });

    /** Each kind of request, from many clients at the same time, so that the pooler mixes their sessions. */
    async function use(): Promise<Record<string, number>> {
      const outcomes: Record<string, number> = {};
      const hook = await hookedWorkflow(clients[0]!, [{ name: 'pause', kind: 'delay', config: { seconds: 1 } }]);
      const path = new URL(hook).pathname;
      const ask = async (name: string, sent: Promise<{ status: number }>) => {
        const outcome = `${name} ${(await sent).status}`;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      };
      const lane = async (client: Client) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          await ask('list', client.rest('GET', '/workflows'));
          await ask('create', client.rest('POST', '/workflows', { body: { name: 'x' } }));
          await ask('hook', client.send('POST', path, { body: { round } }));
          const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
          await ask('connect', client.rest('POST', '/integrations/connect', { body }));
        }
      };
      await Promise.all(Array.from({ length: LANES }, (_, index) => lane(clients[index % clients.length]!)));
      return outcomes;
    }

    it('serve every request, execute every run, and tell every change to listeners of both', async () => {
      const times = LANES * ROUNDS;
      expect(await use()).toEqual({ 'list 200': times, 'create 201': times, 'hook 202': times, 'connect 201': times });
      await until(() => listeners.every(({ heard }) => heard.length >= times));
      for (const { heard } of listeners) expect(new Set(heard).size).toBe(times);
      await servers[0]!.advance(2_000);
      await until(async () => {
        const { body } = await clients[0]!.rest('GET', '/runs?status=succeeded&per_page=1');
        return body.meta.total === times;
      });
      const warnings = servers.flatMap(({ logs }) => logs.filter((line) => /"level":"(warn|error)"/.test(line)));
      expect(warnings).toEqual([]);
    });

    it('go on when the pooler is killed and comes back', async () => {
      await bouncer.kill();
      await until(async () => (await clients[0]!.rest('GET', '/workflows')).status === 503);
      await bouncer.run();
      await until(async () => (await clients[0]!.rest('POST', '/workflows', { body: { name: 'y' } })).status === 201);
      await until(async () => (await clients[0]!.send('GET', '/readyz')).status === 200);
    });
  },
);
