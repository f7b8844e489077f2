import { IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';

/**
 * Node spends 4 µs on each chunk, whatever its size, and reads up to 11,000 of them at once. A body may come in so many, and
 * one more for each 256 bytes that came.
 */
const FREE_CHUNKS = 1_024;
const BYTES_OF_CHUNK = 256;
/** The client of a body in too many chunks waits so long for its answer, or up to twice as long: it may come again at once. */
const DELAY_MS = 1_000;
/** So long it has to read the answer. */
const LINGER_MS = 1_000;
/** The slot in which Node's parser has its listener for chunks, `HTTPParser.kOnBody`. */
const ON_CHUNK = 3;

const excessive = new WeakSet<Socket>();

/**
 * A request to our server, which counts the chunks of its body whether or not anything reads it. After one too many
 * nothing more of its connection is read, and a while later it emits `excess`.
 */
export class InboundMessage extends IncomingMessage {
  /** Whether an earlier request of the connection was excessive: parts of this one are missing, and it gets no answer. */
  readonly isIncomplete: boolean;
  private isExcessive = false;
  private isRefused = false;
  private chunks = 0;
  private size = 0;

  constructor(socket: Socket) {
    super(socket);
    this.isIncomplete = excessive.has(socket);
    const push = this.push.bind(this);
    // Of the object, not of the class: Express gives requests another prototype.
    this.push = (chunk: Buffer | null, encoding) => {
      if (chunk !== null && !this.isExcessive) this.isExcessive = this.count(chunk);
      if (!this.isExcessive) return push(chunk, encoding);
      if (!excessive.has(socket)) this.endReading(socket);
      return false;
    };
  }

  /** Calls the listener with the size of the body so far, now or later, where it comes in too many chunks. */
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
    // Node resumes it for each message that ends.
    socket.on('resume', () => socket.pause()).pause();
    // Clients that come at once must not come again at once.
    setTimeout(() => this.tell(socket), DELAY_MS * (1 + Math.random())).unref();
  };

  private tell = (socket: Socket): void => {
    this.isRefused = true;
    this.emit('excess', this.size);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/**
 * Lets the parser skip the chunks that are read already: nothing that Node documents stops it before their end. Where
 * this has no effect, they cost their time.
 */
function skipChunks(socket: Socket): void {
  const { parser } = socket as { parser?: Record<number, unknown> };
  const listener = parser?.[ON_CHUNK];
  if (parser === undefined || typeof listener !== 'function') return;
  parser[ON_CHUNK] = undefined;
  // Parsers serve one connection after another.
  setImmediate(() => (parser[ON_CHUNK] = listener));
}
