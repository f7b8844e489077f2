import pg from 'pg';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';
import { LivedTime } from '../support/lived-time.js';

/** The longest wait of a request for an unavailable database, in milliseconds. */
const ANSWERED_MS = 6_000;
/** More than the lanes of hooks, so that some requests wait for others. */
const POSTS = 12;

describe('writes in progress when the database falls silent', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    server = await startTestServer({ database: { ...database, url: proxy.url }, env: { DATABASE_POOL: '30' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterAll(async () => {
    await server.close();
    await proxy.close();
    await database.drop();
  });

  /** A connection that bypasses the proxy. */
  async function connected(): Promise<pg.Client> {
    const direct = new pg.Client({ connectionString: database.url });
    direct.on('error', () => undefined);
    await direct.connect();
    return direct;
  }

  it('get 503 within 6 s, and their idempotency keys are free once the database is back', async () => {
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const trigger = { workflow_id: workflow.id, type: 'webhook' };
    const { body: hooked } = await client.rest('POST', '/triggers', { body: trigger });
    const hook = new URL(hooked.webhook_url as string).pathname;
    const once = (key: string) =>
      client.rest('POST', '/workflows', { body: { name: key }, headers: { 'idempotency-key': key } });
    const keys = Array.from({ length: 5 }, (_, index) => `key-${index}`);

    const [holder, watcher] = [await connected(), await connected()];
    await holder.query('BEGIN; LOCK TABLE workflows IN EXCLUSIVE MODE');
    const writing = keys.map(once);
    const posting: ReturnType<Client['send']>[] = [];
    for (let post = 0; post < POSTS; post += 1) {
      posting.push(client.send('POST', hook, { body: '1' }));
      // Each request becomes its own group.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await until(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      // All creates, and one hook; the other hooks wait behind it.
      return (await watcher.query(waiting)).rowCount! > keys.length;
    });
    proxy.swallow();
    const time = new LivedTime();
    await Promise.all([holder.end(), watcher.end()]);
    const answers = await Promise.all([...writing, ...posting]);
    expect(time.stop()).toBeLessThan(ANSWERED_MS);
    expect(answers.map(({ status }) => status)).toEqual(Array(keys.length + POSTS).fill(503));
    expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(Array(keys.length + POSTS).fill('1'));

    proxy.restore();
    for (const key of keys) await until(async () => [200, 201].includes((await once(key)).status));
    const { body } = await client.rest('GET', '/workflows');
    expect(body.meta.total).toBe(keys.length + 1);
  });
});
