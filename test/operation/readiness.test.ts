import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { cleanUp, HoldingProcess, makeFolder, postmasterOf } from '../db/embedded/holding-process.js';
import { Client } from '../support/http/client.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { LivedTime } from '../support/lived-time.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

describe('/readyz', () => {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  // A PostgreSQL of its own, because the test changes settings of the whole server.
  const postgres = new HoldingProcess('service', dataDir);
  let proxy: TcpProxy;
  let server: TestServer;
  let client: Client;
  /** A connection that bypasses the proxy. */
  let watcher: pg.Client;

  beforeAll(async () => {
    const { url } = await postgres.ready();
    proxy = await startTcpProxy(url);
    // Only requests write: no job finds out what the probe should.
    server = await startTestServer({
      database: { url: proxy.url, drop: async () => undefined },
      env: { ROLES: 'api' },
    });
    client = new Client(server.baseUrl, await server.key());
    watcher = new pg.Client({ connectionString: url });
    await watcher.connect();
  });
  afterAll(async () => {
    await watcher.end();
    await server.close();
    await proxy.close();
    await postgres.stop();
    await cleanUp(folder);
  });

  const ready = async () => (await client.send('GET', '/readyz')).status;
  const create = async () => (await client.rest('POST', '/workflows', { body: { name: 'x' } })).status;
  const list = async () => (await client.rest('GET', '/workflows')).status;
  /** The last setting of a name in the file wins. */
  function set(setting: string): void {
    appendFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), `${setting}\n`);
    process.kill(postmasterOf(dataDir), 'SIGHUP');
  }

  /** The connections of the probe, on the server's side. */
  async function probes(): Promise<number> {
    const own = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'workflow-gateway readyz'`;
    return (await watcher.query(own)).rowCount!;
  }

  it('says 503 while the database is read-only, and 200 afterwards', async () => {
    expect(await ready()).toBe(200);
    set('default_transaction_read_only = on');
    await until(async () => (await ready()) === 503);
    expect([await list(), await create()]).toEqual([200, 503]);
    // A refused write changes nothing about that.
    expect([await ready(), await create(), await ready()]).toEqual([503, 503, 503]);
    set('default_transaction_read_only = off');
    await until(async () => (await ready()) === 200);
    expect(await create()).toBe(201);
  });

  it('says 503 after a write that was never confirmed until one is, although reads work', async () => {
    // Nobody is the synchronous standby: each commit waits for one.
    set(`synchronous_standby_names = 'nobody'`);
    await until(async () => (await create()) === 503);
    expect(await list()).toBe(200);
    expect(await ready()).toBe(503);
    expect(await ready()).toBe(503);
    set(`synchronous_standby_names = ''`);
    await until(async () => (await ready()) === 200);
    expect(await create()).toBe(201);
  });

  it('says 503 while commits are never confirmed, although nothing else writes, and by one connection', async () => {
    expect(await ready()).toBe(200);
    set(`synchronous_standby_names = 'nobody'`);
    await until(async () => (await ready()) === 503);
    // Longer than the probe waits for one commit.
    for (let check = 0; check < 8; check += 1) {
      const time = new LivedTime();
      expect(await ready()).toBe(503);
      expect(time.stop()).toBeLessThan(1_500);
      expect(await probes()).toBeLessThanOrEqual(2);
    }
    set(`synchronous_standby_names = ''`);
    await until(async () => (await ready()) === 200);
    expect(await probes()).toBe(1);
  });

  it('asks on another connection when its own leads nowhere any more', async () => {
    expect(await ready()).toBe(200);
    proxy.forget();
    await until(async () => (await ready()) === 503);
    await until(async () => (await ready()) === 200);
  });

  it('says 503 within a second when the database is silent', async () => {
    expect(await ready()).toBe(200);
    proxy.swallow();
    const time = new LivedTime();
    expect(await ready()).toBe(503);
    expect(time.stop()).toBeLessThan(1_500);
    proxy.restore();
    await until(async () => (await ready()) === 200);
  });
});
