import { type UnreadReader } from '../../../platform/admission/unread-bytes.js';

/** Characters written at once: a slow reader of a long text must be seen to make progress. */
const PIECE = 16_384;
/** Bytes handed to the network before it has taken the earlier ones. */
const AHEAD = 65_536;

/** Writes a piece of a message. Calls `done` once, when the network has taken the piece or never will. */
export type WritePiece = (text: string, isLast: boolean, done: () => void) => void;

/** A waiting message, or the rest of one. */
interface Message {
  parts: readonly string[];
  part: number;
  /** Offset in that part where the rest begins. */
  from: number;
  sent: () => void;
}

/**
 * The ordered messages to one connection. Only a little is written ahead of the reader; the rest waits here, where long
 * texts are shared with other readers and can be dropped at once.
 */
export class Outbox {
  private readonly waiting: Message[] = [];
  /** Callbacks that resolve the senders of unfinished messages. */
  private readonly unsent = new Set<() => void>();
  private flying = 0;
  private isClosed = false;

  constructor(
    private readonly write: WritePiece,
    private readonly reader: UnreadReader,
  ) {}

  /** Waiting messages, without those that the network is taking. */
  get length(): number {
    return this.waiting.length;
  }

  /** Sends the parts as one message. Resolves when the network has taken it, or the connection has closed. */
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

  /** Drops all waiting messages. */
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

/** Joins the parts of a short message. */
function shortened(parts: readonly string[]): readonly string[] {
  if (parts.length === 1 || parts.reduce((sum, { length }) => sum + length, 0) > PIECE) return parts;
  return [parts.join('')];
}

/** The end of the piece that begins at `from`. Never splits a surrogate pair, which is one character. */
function pieceEnd(text: string, from: number): number {
  const end = from + PIECE;
  if (end >= text.length) return text.length;
  const isHigh = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
