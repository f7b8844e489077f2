import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type Socket } from 'node:net';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Client } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { gauge } from '../graphql/changes.js';

const SUBSCRIPTION = 'subscription { integrationStatusChanged { id } }';

describe('stopping', () => {
  let server: TestServer;
  let client: Client;

  beforeEach(async () => {
    server = await startTestServer({ env: { DRAIN_DELAY: '400' } });
    client = new Client(server.baseUrl, await server.key());
  });
  afterEach(() => server.close());

  it('reports at once that it is not ready, and still responds until the delay is over', async () => {
    const patient = await startTestServer({ env: { DRAIN_DELAY: '4000' } });
    const asking = new Client(patient.baseUrl, await patient.key());
    const closed = patient.close();
    expect((await asking.send('GET', '/readyz')).status).toBe(503);
    const { status, headers } = await asking.rest('GET', '/workflows');
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await closed;
    await expect(asking.rest('GET', '/workflows')).rejects.toThrow();
  });

  it('closes sockets with 1001', async () => {
    const closeCode = new Promise((resolve) => {
      const ws = createClient({
        url: server.ws(),
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { authorization: `Bearer ${client.key}` },
        on: { closed: (event) => resolve((event as { code: number }).code) },
      });
      ws.subscribe({ query: SUBSCRIPTION }, { next: () => {}, error: () => {}, complete: () => {} });
      ws.on('connected', () => void setTimeout(() => void server.close(), 50));
    });
    expect(await closeCode).toBe(1001);
    await server.close();
  });

  it('responds to long polls at once, with the present state', async () => {
    const { body } = await client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const waiting = client.rest('GET', `/integrations/${body.integration_id}?wait=30`);
    await until(async () => (await gauge(server, 'change_listeners')) === 1);
    await server.close();
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'pending' } });
  });

  it('responds to a request whose body is still arriving', async () => {
    const url = new URL(`${server.baseUrl}/v1/workflows`);
    const body = JSON.stringify({ name: 'late' });
    const call = request(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${client.key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.write(body.slice(0, 5));
    const [socket] = (await once(call, 'socket')) as [Socket];
    if (socket.connecting) await once(socket, 'connect');
    // The response to this later request proves that the service has read it.
    await client.rest('GET', '/workflows');
    const closed = server.close();
    await until(() =>
      client.rest('GET', '/workflows').then(
        () => false,
        () => true,
      ),
    );
    call.end(body.slice(5));
    const [response] = await answered;
    expect(response.resume().statusCode).toBe(201);
    await closed;
  });

  it('closes idle connections', async () => {
    await client.rest('GET', '/workflows');
    await server.close();
    await expect(client.rest('GET', '/workflows')).rejects.toThrow();
  });
});
