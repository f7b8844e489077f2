import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunWorld } from '../support/worlds/run-world.js';

const MEGABYTE = 1_048_576;

let world: RunWorld;
let hook: string;
beforeAll(async () => {
  world = await RunWorld.open();
  ({ hook } = await world.workflow([]));
});
afterAll(() => world.close());

/** Sends the whole body before it reads anything, with `Connection: close`, as Python's urllib does. @returns the response. */
async function send(path: string, bytes: number, key = world.client.key!): Promise<string> {
  const socket = connect(Number(new URL(world.server.baseUrl).port), 'localhost').pause();
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, 'Connection: close'];
  socket.write(`${lines.join('\r\n')}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`);
  const part = Buffer.alloc(65_536, '1');
  for (let sent = 0; sent < bytes; sent += part.length) {
    if (!socket.write(part.subarray(0, bytes - sent))) await once(socket, 'drain');
  }
  let text = '';
  socket.setEncoding('utf8').on('data', (data: string) => (text += data));
  await once(socket.resume(), 'end');
  socket.destroy();
  return text;
}

describe('a client that closes its connection, and sends its whole body first', () => {
  it.each([
    ['REST', () => '/v1/workflows'],
    ['GraphQL', () => '/graphql'],
    ['a hook', () => hook],
    ['the proxy', () => '/v1/integrations/int_01kagrx8010000000000000000/proxy/x'],
  ])('reads why its body is too large: %s', async (_, path) => {
    const text = await send(path(), 20 * MEGABYTE);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('payload_too_large');
  });

  it('reads that its key is not valid', async () => {
    expect(await send('/v1/workflows', 20 * MEGABYTE, 'wfk_nope')).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('gets a response that ends its connection otherwise, too', async () => {
    expect(await send(hook, 10)).toMatch(/^HTTP\/1\.1 202 [\s\S]*connection: close/i);
  });

  it('sends no request that is executed behind the response that ends its connection', async () => {
    const socket = connect(Number(new URL(world.server.baseUrl).port), 'localhost').setEncoding('utf8');
    const post = (key: string, body: string, length: number) =>
      `POST /v1/workflows HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
    socket.write(post('wfk_nope', 'half', 8));
    const [refusal] = (await once(socket, 'data')) as [string];
    expect(refusal).toMatch(/^HTTP\/1\.1 401 /);
    const behind = JSON.stringify({ name: 'behind' });
    socket.write(`half${post(world.client.key!, behind, behind.length)}`);
    await once(socket, 'close');
    const { body } = await world.client.rest('GET', '/workflows');
    expect((body.data as { name: string }[]).map(({ name }) => name)).not.toContain('behind');
  });
});
