import { randomBytes } from 'node:crypto';
import { type Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, type WebSocket } from 'ws';
import { type Server } from 'graphql-ws';
import { type LongWork } from '../../../platform/admission/long-work.js';
import { type UnreadBytes, type UnreadReader } from '../../../platform/admission/unread-bytes.js';
import { exceedsContainers } from '../../../platform/json/json-depth.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { CLOSE, closeReason } from './close-codes.js';
import { clientMessage } from './client-message.js';
import { Outbox } from './outbox.js';

/** The interval of pings on a socket, in milliseconds; a socket without a pong by the next one is cut. */
export const PING_MS = 15_000;
const PING_BYTES = 8;
/** Messages that may wait for a client that sends requests without reading the responses. */
const UNREAD_LIMIT = 256;
/** Frames of a client between two of our pings: 100 subscriptions that start and stop need fewer. */
const MAX_FRAMES = 10_000;
/** Frames of a client that is not known yet: it has to send one message. */
export const MAX_EARLY_FRAMES = 16;
/** The bytes of a client that is not known yet: `connection_init` with a key has 100 to 2,000. */
export const MAX_EARLY_BYTES = 8_192;
/** What a message costs at least, as bytes of a long one. */
const LEAST_COST = 512;
/** Messages that wait for their turn before no more are read of the connection. */
const MAX_WAITING = 8;
/** Objects and lists in one message: no subscription needs so many, and they are costly to parse. */
const MAX_CONTAINERS = 2_000;
/** Milliseconds for a client to answer our close frame before the connection is cut. */
const CLOSING_MS = 5_000;

/** Collaborators of a `SubscriptionSocket`. */
interface SocketDependencies {
  unread: UnreadBytes;
  logger: Logger;
  longWork: LongWork;
}

/**
 * One WebSocket that speaks graphql-ws' protocol, with the parts that the library leaves to its users. Every 15 s it
 * sends a ping frame, which the client must answer, and a ping message, which scripts in pages can see.
 */
export class SubscriptionSocket {
  private readonly logger: Logger;
  private readonly longWork: LongWork;
  private readonly reader: UnreadReader;
  private readonly outbox: Outbox;
  private pongs = 0;
  /** Frames received since our last ping. */
  private frames = 0;
  private payload: object | undefined;
  /** The payload that the client must return in its pong; undefined once it has. */
  private pinged: Buffer | undefined;
  /** Once the client is authenticated. */
  private accountId: string | undefined;
  /** Messages are handled one after another, each in a turn of its account. */
  private handled: Promise<void> = Promise.resolve();
  private waiting = 0;
  /** The end of the last `hold`. */
  private held: Promise<void> | undefined;
  /** Bytes received before the client is authenticated. */
  private earlyBytes = 0;
  private isCorked = false;
  private isClosed = false;
  private isClosing = false;
  /** Ends the subscriptions, once. */
  private over: (code: number, reason: string) => void = () => undefined;

  constructor(
    private readonly socket: WebSocket,
    /** The stream below the WebSocket, to cork writes. */
    private readonly stream: Duplex,
    { unread, logger, longWork }: SocketDependencies,
  ) {
    this.logger = logger;
    this.longWork = longWork;
    this.reader = unread.open(() => this.closeSlowReader());
    this.outbox = new Outbox((text, isLast, done) => this.write(text, isLast, done), this.reader);
  }

  /** Serves the protocol on this socket until it closes. */
  serve<E extends Record<PropertyKey, unknown>>(protocol: Server<E>, extra: E): void {
    const { socket } = this;
    const heartbeat = setInterval(() => this.beat(), PING_MS);
    // The client broke the WebSocket protocol (too large, invalid UTF-8): `ws` has already closed the socket with its
    // code.
    socket.on('error', (error) => this.logger.debug(errorFields(error), 'websocket: broken by the client'));
    // A pong that answers none of our pings proves nothing: a client that reads nothing can send it, too.
    socket.on('pong', (data: Buffer) => {
      if (!this.isOneTooMany() && this.pinged?.equals(data)) this.pinged = undefined;
    });
    socket.on('ping', (data: Buffer) => this.pong(data));
    this.stream.on('data', this.countEarly);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) => this.send(text),
        close: (code, reason) => this.close(code ?? CLOSE.tryAgain, reason ?? ''),
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

  /** The payload of the `subscribe` message in progress; once. */
  takePayload(): object {
    const payload = this.payload ?? {};
    this.payload = undefined;
    return payload;
  }

  /** From now on its unread bytes and the work on its messages are those of an account. */
  belongTo(accountId: string): void {
    this.accountId = accountId;
    this.stream.off('data', this.countEarly);
    this.reader.moveTo(accountId);
  }

  /** Delays a refusal. Until then the socket handles no further message. */
  async hold(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return;
    await (this.held = sleep(milliseconds, undefined, { ref: false }));
  }

  /** Sends one result, which is JSON already: the text is shared, and the library would serialize it again. */
  async next(id: string, payload: string): Promise<void> {
    await this.send(`{"id":${JSON.stringify(id)},"type":"next","payload":`, payload, '}');
  }

  /** Closes the socket of a client that does not read its responses. Waiting messages are dropped. */
  closeSlowReader(): void {
    this.close(CLOSE.tryAgain, 'Too slow a reader');
  }

  /** Ends the subscriptions at once; the client may take CLOSING_MS to answer. */
  close(code: number, text: string): void {
    if (this.isClosing) return;
    this.isClosing = true;
    // The library quotes ids of clients.
    const reason = closeReason(text);
    this.over(code, reason);
    this.socket.close(code, reason);
    const cut = setTimeout(() => this.socket.terminate(), CLOSING_MS).unref();
    this.socket.once('close', () => clearTimeout(cut));
  }

  /** A message costs time before its key or its subscription is judged, so it waits for a turn of its account. */
  private receive(handle: (text: string) => Promise<void>, data: RawData): void {
    if (this.isOneTooMany() || this.isClosed) return;
    const bytes = (data as Buffer).length;
    const { accountId } = this;
    if (accountId === undefined) return bytes > MAX_EARLY_BYTES ? this.refuse() : this.handle(handle, data as Buffer);
    this.waiting += 1;
    // ws goes on with what it has read already.
    if (this.waiting === MAX_WAITING) this.socket.pause();
    this.handled = this.handled
      .then(() => this.held)
      .then(() => this.longWork.piece(accountId, Math.max(bytes, LEAST_COST)))
      .then(() => {
        this.waiting -= 1;
        if (this.waiting === 0 && this.socket.isPaused) this.socket.resume();
        if (!this.isClosed) this.handle(handle, data as Buffer);
      })
      .catch((error: unknown) => this.fail(error));
  }

  /** Also counts the parts of a message that does not end: `ws` holds them. */
  private readonly countEarly = (chunk: Buffer): void => {
    this.earlyBytes += chunk.length;
    if (this.earlyBytes > MAX_EARLY_BYTES) this.refuse();
  };

  /** Closes the socket of a client that sends too much before it is known, and reads no more of it. */
  private refuse(): void {
    this.close(CLOSE.badMessage, 'Too many bytes before connection_ack');
    this.socket.pause();
  }

  /** Not async: an async frame that waits for the end of a subscription would keep its message in memory until then. */
  private handle(handle: (text: string) => Promise<void>, data: Buffer): void {
    const received = data.toString();
    if (exceedsContainers(received, MAX_CONTAINERS)) return this.close(CLOSE.badMessage, 'Invalid message received');
    const { text, payload } = clientMessage(received);
    this.payload = payload;
    handle(text).catch((error: unknown) => this.fail(error));
  }

  private fail(error: unknown): void {
    // graphql-ws throws for message types that only servers send.
    if (error instanceof Error && error.message.startsWith('Unexpected message')) {
      return this.close(CLOSE.badMessage, 'Invalid message received');
    }
    this.logger.error(errorFields(error), 'websocket: message failed');
    this.close(CLOSE.tryAgain, 'Internal error');
  }

  /** Resolves when the network has taken the text, so that a slow client pauses its subscription. */
  private async send(...parts: readonly string[]): Promise<void> {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.outbox.length >= UNREAD_LIMIT) return this.closeSlowReader();
    await this.outbox.send(...parts);
  }

  /** Writes of the same tick are sent together. */
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
    // Frames that still arrive on a closing socket must cost nothing more.
    if (this.isOneTooMany() || this.isClosing) return;
    if (this.pongs === UNREAD_LIMIT) return this.closeSlowReader();
    this.pongs += 1;
    this.socket.pong(data, false, () => (this.pongs -= 1));
  }

  /** Counts a frame; a client that only sends is cut off. */
  private isOneTooMany(): boolean {
    this.frames += 1;
    const most = this.accountId === undefined ? MAX_EARLY_FRAMES : MAX_FRAMES;
    if (this.frames <= most) return false;
    if (this.frames === most + 1) this.socket.terminate();
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
