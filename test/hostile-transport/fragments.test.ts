import WebSocket from 'ws';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { exchange } from '../support/http/exchange.js';

const MEGABYTE = 1_048_576;

describe('data in fragments of one byte', () => {
  let server: TestServer;
  let client: Client;
  let hook: string;

  beforeAll(async () => {
    server = await startTestServer();
    client = new Client(server.baseUrl, await server.key());
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const trigger = { workflow_id: body.id, type: 'webhook' };
    hook = new URL((await client.rest('POST', '/triggers', { body: trigger })).body.webhook_url as string).pathname;
  });
  afterAll(() => server.close());

  /** The same JSON, padded with spaces to that length. */
  const padded = (json: string, length: number): string => json + ' '.repeat(length - json.length);

  function inChunks(path: string, body: string): string {
    const auth = `Authorization: Bearer ${client.key}`;
    const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', auth, 'Content-Type: application/json'];
    const chunks = Array.from(body, (character) => `1\r\n${character}\r\n`).join('');
    return `${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
  }

  it.each([
    ['a hook', () => hook, 202],
    ['/v1/workflows', () => '/v1/workflows', 201],
    ['/graphql', () => '/graphql', 200],
  ])('is a body of %s: taken up to a number of chunks, and 413 beyond', async (_, path, taken) => {
    const json = path() === '/v1/workflows' ? '{"name":"x"}' : '{"query":"{ __typename }"}';
    const body = (length: number): string => padded(json, length);
    const most = 1_028;
    expect((await exchange(server.baseUrl, inChunks(path(), body(most)))).statuses).toEqual([taken]);
    const { statuses, text } = await exchange(server.baseUrl, inChunks(path(), body(most + 1)));
    expect([statuses, /"code":"(\w+)"/i.exec(text)![1]!.toLowerCase()]).toEqual([[413], 'payload_too_large']);
  });

  it('is a body whose connection serves no further request', async () => {
    const later = inChunks('/v1/workflows', '{"name":"behind"}');
    const { statuses } = await exchange(server.baseUrl, inChunks(hook, 'x'.repeat(5_000)) + later, 2);
    expect(statuses).toEqual([413]);
    const { body } = await client.rest('GET', '/workflows?per_page=100');
    expect((body.data as { name: string }[]).map(({ name }) => name)).not.toContain('behind');
  });

  it.each(['/graphql', '/v1/workflows', '/graphql/stream', 'hook'])(
    'is a body of a megabyte at %s: 413, and the connection ends, while others are answered',
    async (path) => {
      const posted = exchange(server.baseUrl, inChunks(path === 'hook' ? hook : path, 'x'.repeat(MEGABYTE)), 2);
      expect((await client.rest('GET', '/workflows')).status).toBe(200);
      expect(await posted).toMatchObject({ statuses: [413], closed: true });
    },
  );

  it('is a message on a WebSocket: accepted up to a number of fragments, and closed with 1008 beyond', async () => {
    const message = (length: number): string => {
      const empty = JSON.stringify({ type: 'ping', payload: { pad: '' } });
      return empty.replace('""', `"${'p'.repeat(length - empty.length)}"`);
    };
    expect(await answerTo(inFrames(message(500)))).toMatch(/^message .*"pong"/);
    expect(await answerTo(inFrames(message(1_000)))).toBe('close 1008');
    // Its bytes may end it first: the client is not known.
    expect(await answerTo(inFrames('x'.repeat(MEGABYTE)))).toMatch(/^close (1008|4400)$/);
    expect((await client.rest('GET', '/workflows')).status).toBe(200);
  });

  /** The close code of a socket that sends these frames. */
  async function answerTo(frames: Buffer): Promise<string> {
    const socket = new WebSocket(server.ws(), 'graphql-transport-ws');
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => (socket as unknown as { _socket: { write(data: Buffer): void } })._socket.write(frames));
      socket.on('message', (data: Buffer) => {
        resolve(`message ${data.toString()}`);
        socket.terminate();
      });
      socket.on('close', (code) => resolve(`close ${code}`));
    });
  }
});

/** A text message as frames of a byte each, under a mask of zeros (RFC 6455, 5.4). */
function inFrames(text: string): Buffer {
  const bytes = Buffer.from(text);
  const frames = Buffer.alloc(bytes.length * 7);
  bytes.forEach((byte, index) => {
    const isLast = index === bytes.length - 1;
    frames.set([(isLast ? 0x80 : 0) | (index === 0 ? 1 : 0), 0x81, 0, 0, 0, 0, byte], index * 7);
  });
  return frames;
}
