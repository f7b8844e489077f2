import { type ServerResponse } from 'node:http';
import { type UnreadBytes, type UnreadReader } from '../../../platform/admission/unread-bytes.js';
import { Outbox } from './outbox.js';

/** The interval of comments on a stream, in milliseconds. */
export const HEARTBEAT_MS = 15_000;
/** Milliseconds for a client to read the last bytes before its stream ends. */
const FLUSH_MS = 1_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // Proxies would delay what they buffer.
  'x-accel-buffering': 'no',
  'content-encoding': 'none',
};

/**
 * One response as server-sent events in graphql-sse's protocol (distinct connections mode): `next`, `complete`, and a
 * comment every 15 s, so that a client can tell a lost connection from a quiet one.
 */
export class EventStream {
  private heartbeat: NodeJS.Timeout | undefined;
  private over = false;
  private readonly outbox: Outbox;

  constructor(
    private readonly response: ServerResponse,
    unread: UnreadBytes,
    accountId: string,
  ) {
    const reader: UnreadReader = unread.open(() => this.cut());
    reader.moveTo(accountId);
    this.outbox = new Outbox((text, _isLast, done) => response.write(text, done), reader);
    response.once('close', () => this.outbox.end());
    // A write to a client that has just left fails; the `close` event that follows is handled.
    response.on('error', () => undefined);
  }

  /** Sends the headers, and a comment so that proxies forward them at once. */
  open(): void {
    if (this.isClosed) return;
    this.response.writeHead(200, HEADERS);
    void this.write(':\n\n');
    this.heartbeat = setInterval(() => void this.write(':\n\n'), HEARTBEAT_MS);
    this.response.once('close', () => clearInterval(this.heartbeat));
  }

  /**
   * Resolves when the network has taken the result, so that a slow client pauses its stream. False: the client has
   * left.
   */
  next(json: string): Promise<boolean> {
    return this.write('event: next\ndata: ', json, '\n\n');
  }

  /** The normal end: clients do not reconnect. */
  async complete(): Promise<void> {
    await this.write('event: complete\ndata:\n\n');
    this.end();
  }

  /**
   * Ends the stream early: clients reconnect. A client that does not read is cut off; an unopened stream never opens.
   */
  end(): void {
    this.over = true;
    this.outbox.end();
    if (!this.response.headersSent) return;
    clearInterval(this.heartbeat);
    this.response.end();
    const cut = setTimeout(() => this.cut(), FLUSH_MS);
    this.response.once('close', () => clearTimeout(cut));
    if (this.response.closed) clearTimeout(cut);
  }

  /** Closes the connection at once. */
  cut(): void {
    this.response.destroy();
  }

  get isClosed(): boolean {
    return this.over || this.response.destroyed || this.response.writableEnded;
  }

  private async write(...parts: readonly string[]): Promise<boolean> {
    if (this.isClosed) return false;
    await this.outbox.send(...parts);
    return !this.isClosed;
  }
}
