import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { gauge } from '../graphql/subscriptions/changes.js';

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
    const { status, headers, body: integration } = await waiting;
    expect([status, headers.get('connection'), integration.status]).toEqual([200, 'close', 'pending']);
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

  it('answers a refused request whose body comes after the answer, without a reset', async () => {
    const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
    const faults: Error[] = [];
    socket.on('error', (error) => faults.push(error));
    await once(socket, 'connect');
    const closed = server.close();
    await until(async () => (await client.send('GET', '/readyz')).status === 503);
    socket.write(
      'POST /v1/workflows HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 .*^connection: close\r$/ims);
    socket.write('{"name":');
    await new Promise((resolve) => socket.write('"x', resolve));
    socket.end();
    if (!socket.closed) await once(socket, 'close');
    expect(faults).toEqual([]);
    await closed;
  });

  it('answers on a connection that was idle when the port was closed, and then ends it', async () => {
    const patient = await startTestServer({ env: { DRAIN_IDLE: '15000' } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<[IncomingMessage, boolean]> => {
      const call = request(`${patient.baseUrl}/livez`, { agent }).end();
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return [response, call.reusedSocket];
    };
    expect((await ask())[0].headers.connection).toBe('keep-alive');
    const closed = patient.close();
    const port = Number(new URL(patient.baseUrl).port);
    await until(async () => {
      const probe = connect(port, 'localhost');
      return once(probe, 'connect').then(
        () => probe.destroy() && false,
        () => true,
      );
    });
    const [{ statusCode, headers }, isReused] = await ask();
    expect([statusCode, headers.connection, isReused]).toEqual([200, 'close', true]);
    await closed;
  });

  it('closes idle connections', async () => {
    await client.rest('GET', '/workflows');
    await server.close();
    await expect(client.rest('GET', '/workflows')).rejects.toThrow();
  });
});
