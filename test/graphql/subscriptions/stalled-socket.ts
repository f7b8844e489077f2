import { connect, type Socket } from 'node:net';
import { type TestServer } from '../../support/server.js';

/** A WebSocket by hand, since libraries read whatever comes: this one reads nothing until it is asked how it ended. */
export class StalledSocket {
  private constructor(private readonly socket: Socket) {}

  /** Opens a socket with a key, and reads no further. */
  static async open(server: TestServer, key: string): Promise<StalledSocket> {
    const socket = connect(Number(new URL(server.baseUrl).port), 'localhost');
    socket.on('error', () => undefined);
    socket.write(
      `GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
    );
    await received(socket, '101 Switching Protocols');
    const stalled = new StalledSocket(socket);
    stalled.send({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } });
    await received(socket, 'connection_ack');
    socket.pause();
    return stalled;
  }

  send(message: object): void {
    this.socket.write(frame(JSON.stringify(message)));
  }

  subscribe(id: string, query: string): void {
    this.send({ id, type: 'subscribe', payload: { query } });
  }

  /** Reads what was left unread, frame by frame, to the close frame; undefined when it was cut. */
  async closeCode(): Promise<number | undefined> {
    const chunks: Buffer[] = [];
    this.socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await ended(this.socket);
    return closeCodeIn(Buffer.concat(chunks));
  }
}

/** The code of the close frame among frames that a server sent. */
export function closeCodeIn(frames: Buffer): number | undefined {
  let rest = frames;
  for (;;) {
    if (rest.length < 2) return undefined;
    const short = rest[1]! & 0x7f;
    const [start, length] =
      short === 126 ? [4, rest.readUInt16BE(2)] : short === 127 ? [10, Number(rest.readBigUInt64BE(2))] : [2, short];
    if ((rest[0]! & 0x0f) === 8) return rest.readUInt16BE(start);
    rest = rest.subarray(start + length);
  }
}

/** Resolves once a text has come. */
export async function received(socket: Socket, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const read = (data: Buffer): void => {
      if (!data.toString('latin1').includes(text)) return;
      socket.off('data', read);
      resolve();
    };
    socket.on('data', read);
  });
}

/** Reads to the end. */
export async function ended(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}

/** A text as a client's frame, under a mask of zeros (RFC 6455, 5.2). */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const header = Buffer.alloc(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  header[0] = 0x81;
  header[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (length >= 65_536) header.writeBigUInt64BE(BigInt(length), 2);
  else if (length >= 126) header.writeUInt16BE(length, 2);
  return Buffer.concat([header, payload]);
}
