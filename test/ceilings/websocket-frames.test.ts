import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeServer } from 'graphql-ws';
import { type WebSocket } from 'ws';
import { UnreadBytes } from '../../src/platform/admission/unread-bytes.js';
import { CLOSE } from '../../src/transports/graphql/subscriptions/close-codes.js';
import { SubscriptionSocket } from '../../src/transports/graphql/subscriptions/subscription-socket.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { closeCodeIn, ended, received } from '../graphql/subscriptions/stalled-socket.js';

const UPGRADE = [
  'GET /graphql HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  '\r\n',
].join('\r\n');

/** A frame of a client with one byte, a space, under a mask of zeros. */
function frame(opcode: number, isLast: boolean): Buffer {
  return Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x81, 0, 0, 0, 0, 0x20]);
}

describe('frames of a message', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
  });
  afterAll(() => server.close());

  /** Sends a message that starts with this many frames, before any key. @returns the close code of the socket. */
  async function closedAfter(frames: number, isComplete: boolean): Promise<number | undefined> {
    const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
    socket.on('error', () => undefined);
    socket.write(UPGRADE);
    await received(socket, '101 Switching Protocols');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const rest = Array.from({ length: frames - 1 }, (_, index) => frame(0, isComplete && index === frames - 2));
    socket.write(Buffer.concat([frame(1, false), ...rest]));
    await ended(socket);
    return closeCodeIn(Buffer.concat(chunks));
  }

  it('are 512 at most', async () => {
    // A message of spaces violates the protocol, so it was read.
    expect(await closedAfter(512, true)).toBe(CLOSE.badMessage);
    expect(await closedAfter(513, false)).toBe(1008);
  });
});

describe('a socket whose client sends and never reads', () => {
  it('answers 256 pings that are not read, is closed once, and is cut off at 10,000 frames', () => {
    const closings: number[] = [];
    let pongs = 0;
    let cuts = 0;
    const ws = Object.assign(new EventEmitter(), {
      protocol: 'graphql-transport-ws',
      readyState: 1,
      OPEN: 1,
      close: (code: number) => void closings.push(code),
      terminate: () => void (cuts += 1),
      // The network takes none of them.
      pong: () => void (pongs += 1),
    });
    const door = new SubscriptionSocket(
      ws as unknown as WebSocket,
      new PassThrough(),
      new UnreadBytes(),
      createLogger('silent'),
    );
    door.serve(makeServer({}), {});
    for (let sent = 0; sent < 10_000; sent += 1) ws.emit('ping', Buffer.alloc(0));
    expect([pongs, closings, ws.listenerCount('close'), cuts]).toEqual([256, [CLOSE.tryAgain], 2, 0]);
    for (let sent = 0; sent < 10_000; sent += 1) ws.emit('message', Buffer.from('{"type":"ping"}'));
    expect(cuts).toBe(1);
    ws.emit('close', 1013, Buffer.alloc(0));
    expect(ws.listenerCount('close')).toBe(0);
  });
});
