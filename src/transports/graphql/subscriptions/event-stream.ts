import { type ServerResponse } from 'node:http';
import { type UnreadBytes, type UnreadReader } from '../../../platform/admission/unread-bytes.js';
import { Outbox } from './outbox.js';

const HEARTBEAT_MS = 15_000;
/** A client gets so long to read what was sent before the stream's end; in milliseconds. */
const FLUSH_MS = 1_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // Proxies would hold back what they buffer, and compress nothing.
  'x-accel-buffering': 'no',
  'content-encoding': 'none',
};

/**
 * One answer as server-sent events, in the words of graphql-sse's protocol (distinct connections mode): `next`,
 * `complete`, and a comment every 15 s, so that a client can tell silence from waiting.
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
    // A write that meets a client which has just gone; `close` follows and is what counts.
    response.on('error', () => undefined);
  }

  /** Sends the headers, and a comment so that they leave at once. */
  open(): void {
    if (this.isClosed) return;
    this.response.writeHead(200, HEADERS);
    void this.write(':\n\n');
    this.heartbeat = setInterval(() => void this.write(':\n\n'), HEARTBEAT_MS);
    this.response.once('close', () => clearInterval(this.heartbeat));
  }

  /** Resolves when the network has taken the result, which holds back a stream whose client doesn't read: false when it is gone. */
  next(json: string): Promise<boolean> {
    return this.write('event: next\ndata: ', json, '\n\n');
  }

  /** Nothing will follow: clients don't reconnect. */
  async complete(): Promise<void> {
    await this.write('event: complete\ndata:\n\n');
    this.end();
  }

  /** Ends in the middle: clients reconnect. One that doesn't read what was sent is cut off; one not yet open won't be. */
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

  /** Ends at once. */
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
