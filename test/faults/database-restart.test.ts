import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbedded } from '../../src/platform/db/embedded/embedded-postgres.js';
import { toPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { scratchFolder } from '../support/scratch.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';
import { Load, type Outcome } from './support/load.js';
import { ResumingListener } from './support/resuming-listener.js';
import { ROUNDS } from './support/rounds.js';

/** The longest wait of a request for an unavailable database, in milliseconds. */
const ANSWERED_MS = 6_000;

describe('a service whose PostgreSQL goes away under load', () => {
  const folder = scratchFolder();
  let database: EmbeddedPostgres;
  let proxy: TcpProxy;
  let server: TestServer;
  let client: Client;
  let hook: string;
  const running = new Set<{ stop(): void }>();

  beforeAll(async () => {
    database = await startEmbedded({ dataDir: join(folder, 'data'), log: () => undefined });
    proxy = await startTcpProxy(database.url);
    const drop = async (): Promise<void> => undefined;
    server = await startTestServer({ database: { url: proxy.url, drop } });
    client = new Client(server.baseUrl, await server.key());
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'hooked', status: 'active' } });
    const trigger = { workflow_id: body.id, type: 'webhook' };
    hook = new URL((await client.rest('POST', '/triggers', { body: trigger })).body.webhook_url as string).pathname;
  });
  // Also after a failure: a listener would open sockets for ever.
  afterEach(() => {
    for (const one of running) one.stop();
    running.clear();
  });
  afterAll(async () => {
    await server.close();
    await proxy.close();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Its supervisor restarts it at once: the connection stays cut until every process has noticed. */
  const signal = async (name: 'SIGKILL' | 'SIGINT') => {
    proxy.cut();
    const pidFile = join(database.dataDir, 'postgres', 'postmaster.pid');
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), name);
  };
  const FAULTS: [string, () => Promise<void>][] = [
    ['is killed with -9', () => signal('SIGKILL')],
    ['is stopped and started', () => signal('SIGINT')],
    ['hears nothing and says nothing', async () => proxy.swallow()],
  ];

  it.each(FAULTS)(
    'that %s responds 503 within 6 s, recovers without help, and its listeners miss nothing',
    async (_, strike) => {
      const listener = new ResumingListener(server.ws(), client.key!);
      const load = new Load(client, hook);
      running.add(listener).add(load);
      await listener.start();
      const working = load.work();
      await until(() => listener.heard.length > 3);
      for (let round = 0; round < Math.ceil(ROUNDS / 2); round += 1) {
        const [since, heard] = [load.outcomes.length, listener.heard.length];
        await strike();
        await until(async () => (await client.send('GET', '/readyz')).status === 503);
        await until(() => load.lanesWith(({ status }) => status === 503, since) === load.lanes);
        proxy.restore();
        await until(async () => (await client.send('GET', '/readyz')).status === 200);
        const restored = load.outcomes.length;
        await until(() => load.lanesWith(({ status }) => status < 300, restored) === load.lanes);
        await until(() => listener.heard.length > heard);
      }
      load.stop();
      await working;

      const expected = ({ what, status }: Outcome) =>
        status < 300 || status === 503 || (what === 'create once' && status === 409);
      expect(load.outcomes.filter((outcome) => !expected(outcome))).toEqual([]);
      expect(load.outcomes.filter(({ status, retryAfter }) => status === 503 && retryAfter !== '1')).toEqual([]);
      expect(load.outcomes.filter(({ milliseconds }) => milliseconds > ANSWERED_MS)).toEqual([]);
      const twice = `SELECT name FROM workflows WHERE name LIKE 'once-%' GROUP BY name HAVING count(*) > 1`;
      expect(await server.db.query(twice)).toEqual([]);
      const changes = await server.db.query<{ id: string }>(`SELECT id FROM integration_changes ORDER BY position`);
      const all = changes.map(({ id }) => toPublicId('chg', id));
      await until(() => listener.heard.at(-1) === all.at(-1));
      expect(listener.heard).toEqual(all.slice(all.indexOf(listener.heard[0]!)));
    },
  );
});
