import { IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';

/**
 * Node spends 4 µs on each chunk of any size, and reads up to 11,000 of them at once. A body may have this many chunks,
 * plus one for each 256 bytes.
 */
const FREE_CHUNKS = 1_024;
const BYTES_OF_CHUNK = 256;
/** How long the client of an excessive body waits for its response, or up to twice as long: it may retry at once. */
const DELAY_MS = 1_000;
/** How long it then has to read the response. */
const LINGER_MS = 1_000;
/** The slot of the chunk listener in Node's parser, `HTTPParser.kOnBody`. */
const ON_CHUNK = 3;

const excessive = new WeakSet<Socket>();

/**
 * A request to the server. It counts the chunks of its body whether or not any code reads it. After one chunk too many
 * its connection is no longer read, and some time later it emits `excess`.
 */
export class InboundMessage extends IncomingMessage {
  /**
   * Whether an earlier request of the connection was excessive: then parts of this one are missing, and it gets no
   * response.
   */
  readonly isIncomplete: boolean;
  private isExcessive = false;
  private isRefused = false;
  private chunks = 0;
  private size = 0;

  constructor(socket: Socket) {
    super(socket);
    this.isIncomplete = excessive.has(socket);
    const push = this.push.bind(this);
    // Properties of the object, not of the class: Express replaces the prototype of requests.
    this.push = (chunk: Buffer | null, encoding) => {
      if (chunk !== null && !this.isExcessive) this.isExcessive = this.count(chunk);
      if (!this.isExcessive) return push(chunk, encoding);
      if (!excessive.has(socket)) this.endReading(socket);
      return false;
    };
    // Node calls it after the response to a request that nothing reads. Its own makes the parser bypass `push`.
    Object.assign(this, { _dump: () => this.removeAllListeners('data').resume() });
  }

  /** Calls the listener with the size of the body so far, now or later, if it comes in too many chunks. */
  onExcess(listener: (size: number) => void): void {
    if (this.isRefused) listener(this.size);
    else this.once('excess', listener);
  }

  private count = ({ length }: Buffer): boolean => {
    this.chunks += 1;
    this.size += length;
    return this.chunks > FREE_CHUNKS + this.size / BYTES_OF_CHUNK;
  };

  private endReading = (socket: Socket): void => {
    excessive.add(socket);
    skipChunks(socket);
    // Node resumes the socket after each message.
    socket.on('resume', () => socket.pause()).pause();
    // Random, so that clients that came together do not come back together.
    setTimeout(() => this.tell(socket), DELAY_MS * (1 + Math.random())).unref();
  };

  private tell = (socket: Socket): void => {
    this.isRefused = true;
    this.emit('excess', this.size);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/**
 * Lets the parser skip chunks that are already read: no documented API of Node stops it before their end. Where this
 * has no effect, they only cost time.
 */
function skipChunks(socket: Socket): void {
  const { parser } = socket as { parser?: Record<number, unknown> };
  const listener = parser?.[ON_CHUNK];
  if (parser === undefined || typeof listener !== 'function') return;
  parser[ON_CHUNK] = undefined;
  // Parsers serve one connection after another.
  setImmediate(() => (parser[ON_CHUNK] = listener));
}
