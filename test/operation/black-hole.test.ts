import { createHmac } from 'node:crypto';
import pg from 'pg';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';
import { LivedTime } from '../support/lived-time.js';

/** The longest wait of a write for an unavailable database, in milliseconds: 5 s, and some time for the way. */
const ANSWERED_MS = 5_500;
/** The same of any request: the limit of a statement + 2 s. */
const READ_MS = 7_000;
/** More than the lanes of hooks, so that some requests wait for others. */
const POSTS = 12;

describe('requests to a database that falls silent', () => {
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

  async function newHook(): Promise<string> {
    const { body: workflow } = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const trigger = { workflow_id: workflow.id, type: 'webhook' };
    const { body: hooked } = await client.rest('POST', '/triggers', { body: trigger });
    return new URL(hooked.webhook_url as string).pathname;
  }

  /** Sends a request that fails. @returns its code, in GraphQL that of its first field, and how long it took. */
  async function timed(send: () => Promise<{ body: any }>): Promise<{ code: string; took: number }> {
    const time = new LivedTime();
    const { body } = await send();
    return { code: (body.code ?? body.errors[0].extensions.code).toLowerCase(), took: time.stop() };
  }

  it('get 503 within 5 s, and their idempotency keys are free once the database is back', async () => {
    const hook = await newHook();
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

  it('get 503 within 5 s of their own arrival, however long the database has been silent', async () => {
    const hook = await newHook();
    proxy.swallow();
    const posting: ReturnType<typeof timed>[] = [];
    const silence = new LivedTime();
    // Until the first posts have failed.
    while (silence.milliseconds < 6_000) {
      posting.push(timed(() => client.send('POST', hook, { body: '1' })));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    silence.stop();
    const answers = await Promise.all(posting);
    proxy.restore();
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(ANSWERED_MS);
    await until(async () => (await client.send('POST', hook, { body: '1' })).status === 202);
  });

  it('as well as posts of events of an application', async () => {
    const { body: connected } = await client.rest('POST', '/integrations/connect', {
      body: { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } },
    });
    const query = 'query ($id: ID!) { integration(id: $id) { eventsUrl eventsSecret } }';
    const { eventsUrl, eventsSecret } = (await client.graphql(query, { id: connected.id })).body.data.integration;
    const signature = `sha256=${createHmac('sha256', eventsSecret as string)
      .update('{}')
      .digest('hex')}`;
    const headers = { 'x-sandbox-event': 'item.created', 'x-sandbox-signature': signature };
    const post = () => client.send('POST', new URL(eventsUrl as string).pathname, { body: '{}', headers });
    expect((await post()).status).toBe(202);
    proxy.swallow();
    const posting: ReturnType<typeof timed>[] = [];
    for (let posted = 0; posted < POSTS; posted += 1) {
      posting.push(timed(post));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const answers = await Promise.all(posting);
    proxy.restore();
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(READ_MS);
    await until(async () => (await post()).status === 202);
  });

  it('as well as reads of the log of events, which come one after another', async () => {
    const [newest] = (await client.rest('GET', '/events')).body.data;
    const query = (text: string) => () => client.graphql(text);
    const reads = [
      () => client.rest('GET', '/events'),
      () => client.rest('GET', `/events?after=${newest.id}&types=workflow.created`),
      () => client.rest('GET', `/events?after=${newest.id}&wait=1`),
      query(`{ events(after: "${newest.id}") { id data } }`),
      query(`{ recentEvents(before: "${newest.id}") { id } }`),
    ];
    proxy.swallow();
    const reading: ReturnType<typeof timed>[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (const read of reads) reading.push(timed(read));
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    const answers = await Promise.all(reading);
    proxy.restore();
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['unavailable']));
    expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(READ_MS);
    await until(async () => (await client.rest('GET', '/events')).status === 200);
  });
});
