import { type RawData, type WebSocket } from 'ws';
import { type Server } from 'graphql-ws';
import { errorFields, type Logger } from '../logger.js';

const PING_MS = 15_000;
/** Messages that may wait for a client to read them: it asks, and doesn't read the answers. */
const UNREAD_LIMIT = 256;
/** A client that doesn't answer our closing is cut off; in milliseconds. */
const CLOSING_MS = 5_000;

/** Why we close a socket, by the code that the client sees (contract, Subscriptions). */
export const CLOSE = {
  goingAway: 1001,
  unavailable: 1011,
  slowReader: 1013,
  badMessage: 4400,
  unauthorized: 4401,
  revoked: 4403,
  tooMany: 4429,
} as const;

/**
 * One WebSocket that speaks graphql-ws' protocol: what that library leaves to its users. A ping every 15 s, both as
 * WebSocket frame, whose pong must come, and as message, which pages can see.
 */
export class SubscriptionSocket {
  private unread = 0;
  private heard = true;

  constructor(
    private readonly socket: WebSocket,
    private readonly logger: Logger,
  ) {}

  /** Hands the socket to the protocol until it closes. */
  serve<E extends Record<PropertyKey, unknown>>(protocol: Server<E>, extra: E): void {
    const { socket } = this;
    const heartbeat = setInterval(() => this.beat(), PING_MS);
    // What broke the protocol of WebSockets (too large, no UTF-8): `ws` has closed it with the code for that.
    socket.on('error', (error) => this.logger.debug(errorFields(error), 'websocket: broken by the client'));
    socket.on('pong', () => (this.heard = true));
    socket.on('ping', (data: Buffer) => void this.counted((done) => socket.pong(data, false, done)));
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => this.send(text),
        close: (code, reason) => this.close(code ?? CLOSE.unavailable, reason ?? ''),
        onMessage: (handle) => socket.on('message', (data) => void this.receive(handle, data)),
        onPing: () => this.send('{"type":"pong"}'),
      },
      extra,
    );
    socket.once('close', (code, reason) => {
      clearInterval(heartbeat);
      void closed(code, String(reason));
    });
  }

  /** Sends one result of a subscription, which is JSON already: the text is shared, and the library would write it anew. */
  async next(id: string, payload: string): Promise<void> {
    await this.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    const cut = setTimeout(() => this.socket.terminate(), CLOSING_MS).unref();
    this.socket.once('close', () => clearTimeout(cut));
  }

  private async receive(handle: (text: string) => Promise<void>, data: RawData): Promise<void> {
    try {
      await handle((data as Buffer).toString());
    } catch (error) {
      // graphql-ws throws for the types of message that only servers send.
      if (error instanceof Error && error.message.startsWith('Unexpected message')) {
        return this.close(CLOSE.badMessage, 'Invalid message received');
      }
      this.logger.error(errorFields(error), 'websocket: message failed');
      this.close(CLOSE.unavailable, 'Internal error');
    }
  }

  /** Resolves when the network has taken the text, which holds back a subscription whose client doesn't read. */
  private send(text: string): Promise<void> {
    return this.counted((done) => this.socket.send(text, done));
  }

  /** Never rejects: a socket that is closed says so by itself. */
  private async counted(send: (done: () => void) => void): Promise<void> {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.unread === UNREAD_LIMIT) return this.close(CLOSE.slowReader, 'Too slow a reader');
    this.unread += 1;
    await new Promise<void>(send);
    this.unread -= 1;
  }

  private beat(): void {
    if (!this.heard) return this.socket.terminate();
    this.heard = false;
    this.socket.ping();
    void this.send('{"type":"ping"}');
  }
}
