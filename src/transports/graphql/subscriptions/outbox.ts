import { type UnreadReader } from '../../../platform/admission/unread-bytes.js';

/** Characters of a text that are written at once, so that a slow reader of a long one is seen to make progress. */
const PIECE = 16_384;
/** Bytes that are handed to the network before it has taken those before them. */
const AHEAD = 65_536;

/** Writes a piece of a message; `done` is called once, when the network has taken it or never will. */
export type WritePiece = (text: string, isLast: boolean, done: () => void) => void;

/** A message that waits, or the rest of one. */
interface Message {
  parts: readonly string[];
  part: number;
  /** Where in that part the rest begins. */
  from: number;
  sent: () => void;
}

/**
 * What one connection is sent, in order. Little of it is ahead of the reader: the rest waits here, where long texts are
 * shared with other readers and let go at once.
 */
export class Outbox {
  private readonly waiting: Message[] = [];
  /** What tells the senders of messages that are not yet taken. */
  private readonly unsent = new Set<() => void>();
  private flying = 0;
  private isClosed = false;

  constructor(
    private readonly write: WritePiece,
    private readonly reader: UnreadReader,
  ) {}

  /** Messages that wait, but for those that the network is taking. */
  get length(): number {
    return this.waiting.length;
  }

  /** Sends the parts as one message. Resolves when the network has taken it, or the connection is over. */
  send(...parts: readonly string[]): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    this.reader.add(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
    return new Promise((resolve) => {
      const sent = (): void => {
        this.unsent.delete(sent);
        resolve();
      };
      this.unsent.add(sent);
      this.waiting.push({ parts: shortened(parts), part: 0, from: 0, sent });
      this.pump();
    });
  }

  /** Drops all that waits. */
  end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.reader.leave();
    this.waiting.length = 0;
    for (const sent of this.unsent) sent();
  }

  private pump(): void {
    while (this.flying < AHEAD && this.waiting.length > 0) this.fly(this.waiting[0]!);
  }

  private fly(message: Message): void {
    const text = message.parts[message.part]!;
    const to = pieceEnd(text, message.from);
    const piece = text.slice(message.from, to);
    const isLast = to === text.length && message.part === message.parts.length - 1;
    if (isLast) this.waiting.shift();
    else if (to === text.length) Object.assign(message, { part: message.part + 1, from: 0 });
    else message.from = to;
    const bytes = Buffer.byteLength(piece);
    this.flying += bytes;
    this.write(piece, isLast, () => {
      this.flying -= bytes;
      this.reader.take(bytes);
      if (isLast) message.sent();
      this.pump();
    });
  }
}

/** A short message is written as one. */
function shortened(parts: readonly string[]): readonly string[] {
  if (parts.length === 1 || parts.reduce((sum, { length }) => sum + length, 0) > PIECE) return parts;
  return [parts.join('')];
}

/** The end of the piece that begins at `from`. It parts no surrogate pair, which is one character. */
function pieceEnd(text: string, from: number): number {
  const end = from + PIECE;
  if (end >= text.length) return text.length;
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
