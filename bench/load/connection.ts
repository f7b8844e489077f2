import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** One response: its HTTP status, and its whole text, for error reports. */
export interface RawAnswer {
  status: number;
  text: () => string;
}

/**
 * One kept-alive HTTP/1.1 connection, one request at a time. It parses only status and length of a response, so that
 * the load takes little CPU from the servers under test. Responses must have a `Content-Length`.
 */
export class Connection {
  private readonly socket: Socket;
  private chunks: Buffer[] = [];
  private missing = 0;
  private waiting: PromiseWithResolvers<RawAnswer> | undefined;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setNoDelay(true);
    this.socket.on('data', (chunk: Buffer) => this.take(chunk));
    this.socket.on('error', (error) => this.waiting?.reject(error));
    this.socket.on('close', () => this.waiting?.reject(new Error('The server closed the connection.')));
  }

  /** Sends the bytes of a whole request. */
  async send(request: Buffer): Promise<RawAnswer> {
    this.waiting = Promise.withResolvers();
    this.socket.write(request);
    return this.waiting.promise;
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    if (this.missing > 0) this.missing -= chunk.length;
    else this.missing = missingOf(this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks));
    if (this.missing > 0) return;
    const chunks = this.chunks;
    this.chunks = [];
    this.waiting?.resolve({
      status: Number(chunks[0]!.toString('latin1', 9, 12)),
      text: () => Buffer.concat(chunks).toString(),
    });
  }
}

/** The missing bytes of a response; 1 while its head is incomplete. */
function missingOf(bytes: Buffer): number {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return 1;
  const length = /content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error(`An answer says no length:\n${bytes.toString('latin1', 0, end)}`);
  return end + HEAD_END.length + Number(length) - bytes.length;
}
