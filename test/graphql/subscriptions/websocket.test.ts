import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { gauge, produce, revoke } from './changes.js';
import { RawWebSocket } from './raw-websocket.js';
import { connectSandbox } from '../transports.js';
import { until } from '../../support/until.js';
import { LivedTime } from '../../support/lived-time.js';

const ACCOUNT = 'subscription { integrationStatusChanged { version } }';
const ONE = 'subscription ($id: ID!) { integrationStatusChanged(integrationId: $id) { version } }';

describe('subscriptions over WebSocket', () => {
  let server: TestServer;
  let key: string;
  let client: Client;
  let id: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key();
    client = new Client(server.baseUrl, key);
    id = await connectSandbox(server, key);
  });
  afterAll(() => server.close());

  const upgraded = (headers: Record<string, string>) => RawWebSocket.open(server.ws(), undefined, { headers });

  describe('authentication', () => {
    it('takes the key of the init payload', async () => {
      const socket = await RawWebSocket.open(server.ws(), key);
      socket.subscribe('1', ONE, { id });
      expect((await socket.message(({ type }) => type === 'next')).payload.data.integrationStatusChanged.version).toBe(
        1,
      );
      socket.close();
    });

    it('takes the key of the upgrade request when the payload has none', async () => {
      const socket = await upgraded({ authorization: `Bearer ${key}` });
      socket.send({ type: 'connection_init' });
      expect(await socket.message(() => true)).toEqual({ type: 'connection_ack' });
      socket.close();
    });

    it('takes the payload’s key before that of the upgrade request', async () => {
      const socket = await upgraded({ authorization: `Bearer ${key}` });
      socket.send({ type: 'connection_init', payload: { authorization: 'Bearer wfk_wrong' } });
      expect((await socket.closed).code).toBe(4401);
    });

    it.each(['Authorization', 'AUTHORIZATION'])('takes the key as %s', async (name) => {
      const socket = await RawWebSocket.open(server.ws());
      socket.send({ type: 'connection_init', payload: { [name]: `Bearer ${key}` } });
      expect(await socket.message(() => true)).toEqual({ type: 'connection_ack' });
      socket.close();
    });

    it('says that the key was missing, or nothing of a wrong one', async () => {
      const reasonFor = async (payload?: object) => {
        const socket = await RawWebSocket.open(server.ws());
        socket.send({ type: 'connection_init', payload });
        return (await socket.closed).reason;
      };
      const missing = 'The payload of connection_init has no authorization';
      expect([await reasonFor(), await reasonFor({ token: key })]).toEqual([missing, missing]);
      expect(await reasonFor({ authorization: 'Bearer nope' })).toBe('Unauthorized');
    });

    it.each([
      ['no key', undefined],
      ['a malformed key', { authorization: 'Bearer nope' }],
      ['a key without its scheme', { authorization: 'wfk_x' }],
      ['a made-up key', { authorization: `Bearer wfk_${'a'.repeat(38)}` }],
      ['a key that is no text', { authorization: 5 }],
    ])('closes with 4401 for %s', async (_what, payload) => {
      const socket = await RawWebSocket.open(server.ws());
      socket.send({ type: 'connection_init', payload });
      expect((await socket.closed).code).toBe(4401);
    });

    it('closes with 4401 for a revoked key', async () => {
      const revoked = await server.key();
      await revoke(server, revoked);
      const socket = await RawWebSocket.open(server.ws());
      socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${revoked}` } });
      expect((await socket.closed).code).toBe(4401);
    });

    it('closes with 4403 within a second of the key’s revocation', async () => {
      const doomed = await server.key();
      const socket = await RawWebSocket.open(server.ws(), doomed);
      socket.subscribe('1', ACCOUNT);
      const time = new LivedTime();
      await revoke(server, doomed);
      expect(await socket.closed).toEqual({ code: 4403, reason: 'Revoked' });
      expect(time.stop()).toBeLessThan(1_000);
    });

    it('closes with 4403 when the key expires', async () => {
      const expiring = await startTestServer({ env: { ROLES: 'api' } });
      try {
        const secret = await expiring.key();
        await expiring.db.query(`UPDATE api_keys SET expires_at = clock_now() + interval '1 hour'`);
        const socket = await RawWebSocket.open(expiring.ws(), secret);
        await expiring.advance(3_601_000);
        expect(await socket.closed).toEqual({ code: 4403, reason: 'Expired' });
      } finally {
        await expiring.close();
      }
    });

    it('closes with 4401 for a subscription before the init', async () => {
      const socket = await RawWebSocket.open(server.ws());
      socket.subscribe('1', ACCOUNT);
      expect((await socket.closed).code).toBe(4401);
    });

    it('closes with 4408 when no init comes within 3 s', async () => {
      const started = performance.now();
      const socket = await RawWebSocket.open(server.ws());
      expect((await socket.closed).code).toBe(4408);
      expect(performance.now() - started).toBeGreaterThan(2_900);
    });

    it('closes with 4429 for a second init', async () => {
      const socket = await RawWebSocket.open(server.ws(), key);
      socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } });
      expect((await socket.closed).code).toBe(4429);
    });

    it('closes with 4429 for more than 1,000 sockets of a key, which others of the account don’t feel', async () => {
      const crowded = await server.key();
      const sockets: RawWebSocket[] = [];
      for (let opened = 0; opened < 1_000; opened += 100) {
        sockets.push(
          ...(await Promise.all(Array.from({ length: 100 }, () => RawWebSocket.open(server.ws(), crowded)))),
        );
      }
      const refused = await RawWebSocket.open(server.ws());
      refused.send({ type: 'connection_init', payload: { authorization: `Bearer ${crowded}` } });
      expect((await refused.closed).code).toBe(4429);
      const other = await RawWebSocket.open(server.ws(), key);
      other.close();
      sockets.pop()!.terminate();
      await until(async () => (await gauge(server, 'websocket_connections')) < 1_001);
      const admitted = await RawWebSocket.open(server.ws(), crowded);
      for (const socket of [...sockets, admitted]) socket.terminate();
      await until(async () => (await gauge(server, 'websocket_connections')) === 0);
    });
  });

  describe('protocol', () => {
    it.each([
      ['no sub-protocol', []],
      ['the old sub-protocol', ['graphql-ws']],
      ['another sub-protocol', ['mqtt']],
    ])('refuses a client that offers %s', async (_what, protocols) => {
      const socket = new RawWebSocket(server.ws(), {}, protocols);
      // A client that requested a sub-protocol and got none closes the socket.
      expect([4406, 1006]).toContain((await socket.closed).code);
      await until(async () => (await gauge(server, 'websocket_connections')) === 0);
    });

    it('chooses its sub-protocol among several', async () => {
      const socket = new RawWebSocket(server.ws(), {}, ['graphql-ws', 'graphql-transport-ws']);
      await socket.opened();
      socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } });
      await socket.message(({ type }) => type === 'connection_ack');
      socket.close();
    });

    it.each(['/', '/graphql/stream', '/v1/workflows', '/graphql2'])('an upgrade on %s is 404', async (path) => {
      expect(await rawUpgrade(server, path)).toMatch(/^HTTP\/1.1 404 /);
    });

    it.each(['//', '//[', 'http://[/graphql', '*'])('survives an upgrade on the address %s', async (path) => {
      expect(await rawUpgrade(server, path)).toMatch(/^HTTP\/1.1 404 /);
      expect((await client.send('GET', '/livez')).status).toBe(200);
    });

    it.each([
      ['no JSON', 'hello'],
      ['an unknown type', { type: 'dance' }],
      ['a list', '[]'],
      ['a subscription without an id', { type: 'subscribe', payload: { query: ACCOUNT } }],
      ['a subscription without a query', { id: '1', type: 'subscribe', payload: {} }],
      ['variables that are a text', { id: '1', type: 'subscribe', payload: { query: ACCOUNT, variables: '{}' } }],
      ['a message that only servers send', { id: '1', type: 'next', payload: {} }],
    ])('closes with 4400 for %s', async (_what, message) => {
      const socket = await RawWebSocket.open(server.ws(), key);
      socket.send(message);
      expect(await socket.closed).toEqual({ code: 4400, reason: expect.not.stringContaining(' at ') });
    });

    it('closes with 4409 for an id that is taken', async () => {
      const socket = await RawWebSocket.open(server.ws(), key);
      socket.subscribe('1', ACCOUNT);
      socket.subscribe('1', ACCOUNT);
      expect((await socket.closed).code).toBe(4409);
    });

    it.each([
      ['of 200 characters', 'x'.repeat(200), `Subscriber for ${'x'.repeat(108)}`],
      ['of two bytes each', 'ä'.repeat(200), `Subscriber for ${'ä'.repeat(54)}`],
      ['of four bytes each, of which none is cut', `x${'😀'.repeat(100)}`, `Subscriber for x${'😀'.repeat(26)}`],
    ])('closes with a reason that fits for a taken id %s', async (_what, taken, reason) => {
      const socket = await RawWebSocket.open(server.ws(), key);
      socket.subscribe(taken, ACCOUNT);
      socket.subscribe(taken, ACCOUNT);
      expect(await socket.closed).toEqual({ code: 4409, reason });
    });

    it('answers pings, before the init too', async () => {
      const socket = await RawWebSocket.open(server.ws());
      socket.send({ type: 'ping', payload: { a: 'x'.repeat(1_000) } });
      expect(await socket.message(() => true)).toEqual({ type: 'pong' });
      socket.close();
    });

    it('takes 100 subscriptions and refuses one more with an error to that one', async () => {
      const socket = await RawWebSocket.open(server.ws(), key);
      for (let index = 1; index <= 101; index += 1) socket.subscribe(String(index), ONE, { id });
      await until(() => socket.messages.filter(({ type }) => type === 'next').length === 100);
      const errors = socket.messages.filter(({ type }) => type === 'error');
      expect(errors).toEqual([
        {
          id: '101',
          type: 'error',
          payload: [
            { message: expect.any(String), extensions: { code: 'RATE_LIMITED', requestId: expect.any(String) } },
          ],
        },
      ]);
      socket.send({ id: '7', type: 'complete' });
      socket.subscribe('102', ONE, { id });
      await socket.message((message) => message.id === '102' && message.type === 'next');
      socket.close();
    });

    it('ends nothing else on the socket when one subscription fails', async () => {
      const socket = await RawWebSocket.open(server.ws(), key);
      socket.subscribe('good', ACCOUNT);
      socket.subscribe('bad', ONE, { id: 'int_nope' });
      const failed = await socket.message((message) => message.id === 'bad' && message.type === 'next');
      expect(failed.payload.errors[0].extensions.code).toBe('NOT_FOUND');
      await socket.message((message) => message.id === 'bad' && message.type === 'complete');
      await produce(server, id, 1);
      await socket.message((message) => message.id === 'good' && message.type === 'next');
      socket.close();
    });

    it('speaks with the library’s own client, which iterates and completes', async () => {
      const library = createClient({
        url: server.ws(),
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${key}` },
      });
      const events = library.iterate<{ integrationStatusChanged: { version: number } }>({
        query: ONE,
        variables: { id },
      });
      const first: number = (await events.next()).value.data.integrationStatusChanged.version;
      await produce(server, id, 2);
      expect((await events.next()).value.data.integrationStatusChanged.version).toBe(first + 1);
      expect((await events.next()).value.data.integrationStatusChanged.version).toBe(first + 2);
      await events.return!();
      await library.dispose();
      await until(async () => (await gauge(server, 'change_listeners')) === 0);
    });
  });

  it('writes nothing of what clients send wrong to the error log', () => {
    const errors = server.logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors).toEqual([]);
  });
});

describe('a server that stops', () => {
  it('closes its sockets with 1001', async () => {
    const server = await startTestServer({ env: { ROLES: 'api', DRAIN_DELAY: '0' } });
    const key = await server.key();
    const socket = await RawWebSocket.open(server.ws(), key);
    socket.subscribe('1', ACCOUNT);
    const stopped = server.close();
    expect(await socket.closed).toEqual({ code: 1001, reason: 'Going away' });
    await stopped;
  });
});

/** The start of the answer to an upgrade request whose address no URL library would let through. */
async function rawUpgrade(server: TestServer, path: string): Promise<string> {
  const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
  );
  const answer = await new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString()));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed without an answer')));
  });
  socket.destroy();
  return answer;
}
