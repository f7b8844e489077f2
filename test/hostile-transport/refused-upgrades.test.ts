import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.js';
import { signedIn } from '../support/worlds/people.js';
import { received } from '../graphql/subscriptions/stalled-socket.js';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  ({ cookie } = await signedIn(server));
});
// Would wait for a connection that nobody closes.
afterAll(() => server.close());

describe('a refused upgrade ends its connection, also of a client that goes on sending', () => {
  it.each([
    ['another path', '/elsewhere', '', '404 Not Found'],
    ['a foreign origin', '/graphql', 'Origin: https://evil.example\r\n', '403 Forbidden'],
    ['no handshake', '/graphql', '', 'HTTP/1.1 4'],
  ])('%s', async (_name, path, headers, status) => {
    const socket = connect({ port: Number(new URL(server.url).port), host: 'localhost', allowHalfOpen: true });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nCookie: ${cookie}\r\n${headers}\r\n`,
    );
    await received(socket, status);
    const sending = setInterval(() => socket.write('x'), 20);
    await closed;
    clearInterval(sending);
    expect(socket.destroyed).toBe(true);
  });
});
