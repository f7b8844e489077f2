import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';

describe.each(['cut', 'swallow'] as const)('while the database is away (%s)', (how) => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let server: TestServer;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    server = await startTestServer({ database: { ...database, url: proxy.url } });
    client = new Client(server.baseUrl, await server.key());
    await client.rest('GET', '/workflows');
  });
  afterAll(async () => {
    await server.close();
    await proxy.close();
    await database.drop();
  });

  it('every transport responds 503 `unavailable`, and the service recovers without help', async () => {
    const hook = await hookOf(client);
    proxy[how]();
    const [rest, graphql, hooked, ready] = await Promise.all([
      client.rest('GET', '/workflows'),
      client.graphql('{ workflows { meta { total } } }'),
      fetch(hook, { method: 'POST', body: '1' }),
      client.send('GET', '/readyz'),
    ]);
    expect(rest).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(rest.headers.get('retry-after')).toBe('1');
    expect(graphql.body.errors![0].extensions.code).toBe('UNAVAILABLE');
    expect([hooked.status, ready.status]).toEqual([503, 503]);
    expect((await client.send('GET', '/livez')).status).toBe(200);

    proxy.restore();
    await until(async () => (await client.send('GET', '/readyz')).status === 200);
    expect((await client.rest('GET', '/workflows')).status).toBe(200);
    expect((await fetch(hook, { method: 'POST', body: '2' })).status).toBe(202);
  });

  it('a listener stays connected, and receives changes after the database is back', async () => {
    const { body } = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const ws = createClient({
      url: server.ws(),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${client.key}` },
    });
    const changes = ws.iterate<{ integrationStatusChanged: { status: string } }>({
      query: 'subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) { status } }',
      variables: { id: body.integration_id },
    });
    expect((await changes.next()).value.data.integrationStatusChanged.status).toBe('PENDING');
    proxy[how]();
    await client.rest('GET', '/workflows');
    proxy.restore();
    await until(
      async () => (await client.rest('POST', `/integrations/${body.integration_id}/disconnect`)).status === 200,
    );
    expect((await changes.next()).value.data.integrationStatusChanged.status).toBe('DISCONNECTED');
    await ws.dispose();
  });
});

async function hookOf(client: Client): Promise<string> {
  const workflow = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
  const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: workflow.body.id, type: 'webhook' } });
  return trigger.body.webhook_url as string;
}
