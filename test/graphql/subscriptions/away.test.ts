import { startTestServer, type TestServer } from '../../support/server.js';
import { RawWebSocket } from './raw-websocket.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

/** graphql-ws never retries after 4401, nor after 1011 (its `isFatalInternalCloseCode`). */
it('a socket that no key can be read for is closed with 1013, so that its client tries again', async () => {
  const keys: string[] = [];
  while (keys.length < 20) keys.push(await server.key());
  await server.db.transaction(async (tx) => {
    await tx.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const sockets = await Promise.all(keys.map(() => RawWebSocket.open(server.ws())));
    for (const [at, socket] of sockets.entries()) {
      socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${keys[at]}` } });
    }
    const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
    expect(codes).toEqual(codes.map(() => 1013));
  });
  const socket = await RawWebSocket.open(server.ws(), keys[0]);
  socket.send({ type: 'ping' });
  expect(await socket.message(({ type }) => type === 'pong')).toEqual({ type: 'pong' });
  socket.close();
});
