import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeServer } from 'graphql-ws';
import { type WebSocket } from 'ws';
import { type LongWork } from '../../src/platform/admission/long-work.js';
import { UnreadBytes } from '../../src/platform/admission/unread-bytes.js';
import { CLOSE } from '../../src/transports/graphql/subscriptions/close-codes.js';
import {
  MAX_EARLY_BYTES,
  MAX_EARLY_FRAMES,
  SubscriptionSocket,
} from '../../src/transports/graphql/subscriptions/subscription-socket.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
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

/** A WebSocket whose network takes nothing, and what the service did to it. */
class DeafSocket extends EventEmitter {
  readonly protocol = 'graphql-transport-ws';
  readonly OPEN = 1;
  readyState = 1;
  isPaused = false;
  readonly closings: number[] = [];
  pongs = 0;
  cuts = 0;

  close(code: number): void {
    this.closings.push(code);
  }
  terminate(): void {
    this.cuts += 1;
  }
  pong(): void {
    this.pongs += 1;
  }
  send(): void {
    // Its callback would say that the network has taken the message.
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  message(text: string): void {
    this.emit('message', Buffer.from(text));
  }
}

/** A socket of the service, and what opens a turn of its account. */
function open(protocol: Parameters<SubscriptionSocket['serve']>[0] = makeServer({})) {
  const ws = new DeafSocket();
  const waiting: (() => void)[] = [];
  const costs: number[] = [];
  const longWork = {
    piece: (_account: string, bytes: number) => {
      costs.push(bytes);
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
  } as unknown as LongWork;
  const stream = new PassThrough();
  const door = new SubscriptionSocket(ws as unknown as WebSocket, stream, {
    unread: new UnreadBytes(),
    logger: createLogger('silent'),
    longWork,
  });
  door.serve(protocol, {});
  return { ws, door, stream, waiting, costs };
}

describe('a socket whose client sends and never reads', () => {
  it('answers 256 pings that are not read, is closed once, and is cut off at 10,000 frames', () => {
    const { ws, door } = open();
    door.belongTo('account');
    for (let sent = 0; sent < 10_000; sent += 1) ws.emit('ping', Buffer.alloc(0));
    expect([ws.pongs, ws.closings, ws.listenerCount('close'), ws.cuts]).toEqual([256, [CLOSE.tryAgain], 2, 0]);
    for (let sent = 0; sent < 10_000; sent += 1) ws.message('{"type":"ping"}');
    expect(ws.cuts).toBe(1);
    ws.emit('close', 1013, Buffer.alloc(0));
    expect(ws.listenerCount('close')).toBe(0);
  });
});

describe('a client that is not known yet', () => {
  it.each(['message', 'ping', 'pong'])('sends 16 frames (%s), and is cut off at one more', (kind) => {
    const { ws } = open();
    const data = Buffer.from(kind === 'message' ? '{"type":"ping"}' : '');
    for (let sent = 0; sent < MAX_EARLY_FRAMES; sent += 1) ws.emit(kind, data);
    expect([MAX_EARLY_FRAMES, ws.cuts]).toEqual([16, 0]);
    for (let sent = 0; sent < 100; sent += 1) ws.emit(kind, data);
    expect(ws.cuts).toBe(1);
    ws.emit('close', 1006, Buffer.alloc(0));
  });

  it('sends messages of 8 kB, and is closed at one more byte, which is not parsed', () => {
    const { ws } = open();
    const ping = '{"type":"ping"}';
    ws.message(ping.padEnd(MAX_EARLY_BYTES));
    expect([MAX_EARLY_BYTES, ws.closings]).toEqual([8_192, []]);
    ws.message(' '.repeat(MAX_EARLY_BYTES + 1));
    expect(ws.closings).toEqual([CLOSE.badMessage]);
    ws.emit('close', CLOSE.badMessage, Buffer.alloc(0));
  });

  it('sends 8 kB of a message that does not end, and nothing more is read of it; once it is known, more', () => {
    const { ws, stream } = open();
    stream.emit('data', Buffer.alloc(MAX_EARLY_BYTES));
    expect([ws.closings, ws.isPaused]).toEqual([[], false]);
    stream.emit('data', Buffer.alloc(1));
    expect([ws.closings, ws.isPaused]).toEqual([[CLOSE.badMessage], true]);
    ws.emit('close', CLOSE.badMessage, Buffer.alloc(0));

    const known = open();
    known.door.belongTo('account');
    known.stream.emit('data', Buffer.alloc(MAX_EARLY_BYTES + 1));
    expect(known.ws.closings).toEqual([]);
    known.ws.emit('close', CLOSE.badMessage, Buffer.alloc(0));
  });
});

describe('the messages of a known client', () => {
  it('are handled in turns of its account, in their order, and eight that wait pause its connection', async () => {
    const handled: string[] = [];
    const { ws, door, waiting, costs } = open({
      opened: (socket: { onMessage: (handle: (text: string) => Promise<void>) => void }) => {
        socket.onMessage(async (text) => void handled.push(text));
        return () => Promise.resolve();
      },
    });
    door.belongTo('account');
    const texts = Array.from({ length: 8 }, (_, index) => `{"type":"ping","n":${index}}`);
    for (const [index, text] of texts.entries()) {
      ws.message(index === 7 ? text.padEnd(20_000) : text);
      expect(ws.isPaused).toBe(index === 7);
    }
    for (let turn = 0; turn < 8; turn += 1) {
      await until(() => waiting.length > 0);
      expect([handled.length, ws.isPaused]).toEqual([turn, true]);
      waiting.shift()!();
      await until(() => handled.length === turn + 1);
    }
    expect([handled.map((text) => text.trim()), ws.isPaused]).toEqual([texts, false]);
    // A short message costs as much as 512 bytes.
    expect(costs).toEqual([...Array<number>(7).fill(512), 20_000]);
    ws.emit('close', 1000, Buffer.alloc(0));
  });
});
