import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';

describe('while the database refuses connections', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let server: TestServer;
  let client: Client;
  let hook: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    server = await startTestServer({ database: { ...database, url: proxy.url }, env: { ROLES: 'api' } });
    client = new Client(server.baseUrl, await server.key());
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'webhook' } });
    hook = new URL(trigger.body.webhook_url).pathname;
  });
  afterAll(async () => {
    await server.close();
    await proxy.close();
    await database.drop();
  });

  /** One request of each way to the database: a statement, a transaction, a unit of work, and a group of hooks. */
  const requests = () => [
    client.rest('GET', '/workflows'),
    client.rest('POST', '/workflows', { body: { name: 'y' } }),
    client.rest('POST', '/workflows', { body: { name: 'z' }, headers: { 'idempotency-key': crypto.randomUUID() } }),
    client.send('POST', hook, { body: '1' }),
  ];
  const statuses = async () => (await Promise.all(requests())).map(({ status }) => status);

  it('requests wait for it, and none is refused or done twice when it is back soon', async () => {
    const before = await client.rest('GET', '/workflows');
    proxy.cut();
    await until(() => proxy.refused > 0);
    const waiting = statuses();
    const refused = proxy.refused;
    // Each of the requests has tried several times.
    await until(() => proxy.refused > refused + 20);
    proxy.restore();
    expect(await waiting).toEqual([200, 201, 201, 202]);
    const after = await client.rest('GET', '/workflows');
    expect(after.body.meta.total).toBe(Number(before.body.meta.total) + 2);
    const runs = await client.rest('GET', '/runs');
    expect(runs.body.meta.total).toBe(1);
  });

  it('requests are refused at once when it stays away, and served when it is back', async () => {
    proxy.cut();
    await until(() => proxy.refused > 0);
    expect(await statuses()).toEqual([503, 503, 503, 503]);
    const refused = proxy.refused;
    for (let round = 0; round < 5; round += 1) expect(await statuses()).toEqual([503, 503, 503, 503]);
    // About one attempt for each of 20 requests; one that waits makes nearly a hundred.
    expect(proxy.refused - refused).toBeLessThan(90);
    proxy.restore();
    await until(async () => (await statuses()).every((status) => status < 300));
  });
});
