import { randomBytes } from 'node:crypto';
import { type Duplex } from 'node:stream';
import { type RawData, type WebSocket } from 'ws';
import { type Server } from 'graphql-ws';
import { type UnreadBytes, type UnreadReader } from '../../../platform/admission/unread-bytes.js';
import { exceedsContainers } from '../../../platform/json/json-depth.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { clientMessage } from './client-message.js';
import { Outbox } from './outbox.js';

const PING_MS = 15_000;
const PING_BYTES = 8;
/** Messages that may wait for a client to read them: it asks, and doesn't read the answers. */
const UNREAD_LIMIT = 256;
/** Messages, pings and pongs of a client between two pings of ours: 100 subscriptions that come and go have less. */
const MAX_FRAMES = 10_000;
/** Objects and lists of one message; no subscription has use for so many, and parsing them costs much. */
const MAX_CONTAINERS = 2_000;
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
  private readonly reader: UnreadReader;
  private readonly outbox: Outbox;
  private pongs = 0;
  /** What came since our last ping. */
  private frames = 0;
  private payload: object | undefined;
  /** What the client must send back; undefined once it did. */
  private pinged: Buffer | undefined;
  private isCorked = false;
  private isClosed = false;
  private isClosing = false;
  /** Ends its subscriptions, once. */
  private over: (code: number, reason: string) => void = () => undefined;

  constructor(
    private readonly socket: WebSocket,
    /** What it is written to. */
    private readonly stream: Duplex,
    unread: UnreadBytes,
    private readonly logger: Logger,
  ) {
    this.reader = unread.open(() => this.closeSlowReader());
    this.outbox = new Outbox((text, isLast, done) => this.write(text, isLast, done), this.reader);
  }

  /** Hands the socket to the protocol until it closes. */
  serve<E extends Record<PropertyKey, unknown>>(protocol: Server<E>, extra: E): void {
    const { socket } = this;
    const heartbeat = setInterval(() => this.beat(), PING_MS);
    // What broke the protocol of WebSockets (too large, no UTF-8): `ws` has closed it with the code for that.
    socket.on('error', (error) => this.logger.debug(errorFields(error), 'websocket: broken by the client'));
    // A pong that answers no ping of ours says nothing: a client that reads nothing can send it, too.
    socket.on('pong', (data: Buffer) => {
      if (!this.isOneTooMany() && this.pinged?.equals(data)) this.pinged = undefined;
    });
    socket.on('ping', (data: Buffer) => this.pong(data));
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => this.send(text),
        close: (code, reason) => this.close(code ?? CLOSE.unavailable, reason ?? ''),
        onMessage: (handle) => socket.on('message', (data) => this.receive(handle, data)),
        onPing: () => this.send('{"type":"pong"}'),
      },
      extra,
    );
    this.over = (code, reason) => {
      this.over = () => undefined;
      this.isClosed = true;
      clearInterval(heartbeat);
      this.outbox.end();
      void closed(code, reason);
    };
    socket.once('close', (code, reason) => this.over(code, String(reason)));
  }

  /** What the subscription asks for whose message is being handled; once. */
  takePayload(): object {
    const payload = this.payload ?? {};
    this.payload = undefined;
    return payload;
  }

  /** What it leaves unread counts to an account from now on. */
  belongTo(accountId: string): void {
    this.reader.moveTo(accountId);
  }

  /** Sends one result of a subscription, which is JSON already: the text is shared, and the library would write it anew. */
  async next(id: string, payload: string): Promise<void> {
    await this.send(`{"id":${JSON.stringify(id)},"type":"next","payload":`, payload, '}');
  }

  /** Ends a client that asks, and does not read the answers. What waits for it is let go. */
  closeSlowReader(): void {
    this.close(CLOSE.slowReader, 'Too slow a reader');
  }

  /** Its subscriptions end at once; the client may take its time. */
  close(code: number, reason: string): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.over(code, reason);
    this.socket.close(code, reason);
    const cut = setTimeout(() => this.socket.terminate(), CLOSING_MS).unref();
    this.socket.once('close', () => clearTimeout(cut));
  }

  /** Not async: what waits until a subscription has ended would hold its message until then. */
  private receive(handle: (text: string) => Promise<void>, data: RawData): void {
    if (this.isOneTooMany() || this.isClosed) return;
    const received = (data as Buffer).toString();
    if (exceedsContainers(received, MAX_CONTAINERS)) return this.close(CLOSE.badMessage, 'Invalid message received');
    const { text, payload } = clientMessage(received);
    this.payload = payload;
    handle(text).catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    // graphql-ws throws for the types of message that only servers send.
    if (error instanceof Error && error.message.startsWith('Unexpected message')) {
      return this.close(CLOSE.badMessage, 'Invalid message received');
    }
    this.logger.error(errorFields(error), 'websocket: message failed');
    this.close(CLOSE.unavailable, 'Internal error');
  }

  /** Resolves when the network has taken the text, which holds back a subscription whose client doesn't read. */
  private async send(...parts: readonly string[]): Promise<void> {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.outbox.length >= UNREAD_LIMIT) return this.closeSlowReader();
    await this.outbox.send(...parts);
  }

  /** All that is written in one turn goes out together. */
  private write(text: string, isLast: boolean, done: () => void): void {
    if (!this.isCorked) {
      this.isCorked = true;
      this.stream.cork();
      process.nextTick(() => {
        this.isCorked = false;
        this.stream.uncork();
      });
    }
    this.socket.send(text, { fin: isLast }, done);
  }

  private pong(data: Buffer): void {
    // What still comes of a closing socket is read, and must cost nothing more.
    if (this.isOneTooMany() || this.isClosing) return;
    if (this.pongs === UNREAD_LIMIT) return this.closeSlowReader();
    this.pongs += 1;
    this.socket.pong(data, false, () => (this.pongs -= 1));
  }

  /** A client that does nothing but send is cut off. */
  private isOneTooMany(): boolean {
    this.frames += 1;
    if (this.frames <= MAX_FRAMES) return false;
    if (this.frames === MAX_FRAMES + 1) this.socket.terminate();
    return true;
  }

  private beat(): void {
    this.frames = 0;
    if (this.pinged !== undefined) return this.socket.terminate();
    this.pinged = randomBytes(PING_BYTES);
    this.socket.ping(this.pinged);
    void this.send('{"type":"ping"}');
  }
}
