import { type ServerResponse } from 'node:http';

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
  private blockedSince: number | undefined;
  private over = false;

  constructor(private readonly response: ServerResponse) {
    // A write that meets a client which has just gone; `close` follows and is what counts.
    response.on('error', () => undefined);
  }

  /** Sends the headers, and a comment so that they leave at once. */
  open(): void {
    if (this.isClosed) return;
    this.response.writeHead(200, HEADERS);
    void this.write(':\n\n');
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.response.once('close', () => clearInterval(this.heartbeat));
  }

  /** Resolves when the network has taken the result, which holds back a stream whose client doesn't read: false when it is gone. */
  next(json: string): Promise<boolean> {
    return this.write(`event: next\ndata: ${json}\n\n`);
  }

  /** Nothing will follow: clients don't reconnect. */
  async complete(): Promise<void> {
    await this.write('event: complete\ndata:\n\n');
    this.end();
  }

  /** Ends in the middle: clients reconnect. One that doesn't read what was sent is cut off; one not yet open won't be. */
  end(): void {
    this.over = true;
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

  /** A client that has read nothing since the last comment gets no further one; it is gone or as good as that. */
  private beat(): void {
    if (this.blockedSince !== undefined && performance.now() - this.blockedSince >= HEARTBEAT_MS) this.cut();
    else void this.write(':\n\n');
  }

  private async write(text: string): Promise<boolean> {
    if (this.isClosed) return false;
    this.blockedSince ??= performance.now();
    return new Promise((resolve) => {
      this.response.write(text, (error) => {
        this.blockedSince = this.response.writableLength === 0 ? undefined : performance.now();
        resolve(!error);
      });
    });
  }
}
