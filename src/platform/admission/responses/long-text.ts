import { jsonPieces } from '../../json/json-pieces.js';
import { type FairShare } from '../fair-share.js';
import { abandoned, noRoom, PATIENCE_MS } from '../no-turn.js';
import { ANSWER_BYTES, answerTooLarge } from './answer-too-large.js';

/** How long a long text is written without a pause, in milliseconds. */
const SLICE_MS = 5;

/** Resolves when more of the account's long work may be done, see `LongWork.pause`. */
export type Turn = () => Promise<void>;

/** The text of one response, if it is so long that writing it at once would block the event loop. */
export class LongText {
  private leave: (() => void) | undefined;
  private isOver = false;
  private written: readonly Buffer[] | undefined;

  constructor(
    private readonly texts: FairShare,
    private readonly accountId: string,
  ) {}

  /**
   * Takes room for so many bytes. One that `canFail` waits for it. @returns whether it has waited. @throws AppError
   * `rate_limited` after 5 s.
   */
  async take(bytes: number, canFail: boolean): Promise<boolean> {
    const part = canFail ? this.texts.tryTake(this.accountId, bytes) : this.texts.hold(this.accountId, bytes);
    this.leave = part ?? (await this.texts.take(this.accountId, bytes, AbortSignal.timeout(PATIENCE_MS)).catch(noRoom));
    return part === undefined;
  }

  /**
   * Writes JSON in pieces, with a turn for each `SLICE_MS`. @throws AppError `answer_too_large`;
   * `unavailable` when the client has left.
   */
  async write(value: unknown, turn: Turn): Promise<readonly Buffer[]> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let end = performance.now() + SLICE_MS;
    for (const text of jsonPieces(value)) {
      const piece = Buffer.from(text);
      bytes += piece.length;
      if (bytes > ANSWER_BYTES) throw answerTooLarge(value);
      pieces.push(piece);
      if (performance.now() < end) continue;
      await turn();
      if (this.isOver) throw abandoned();
      end = performance.now() + SLICE_MS;
    }
    return pieces;
  }

  /** Keeps a text for the transport: Apollo Server would copy it into one piece. */
  keep(pieces: readonly Buffer[]): void {
    this.written = pieces;
  }

  /** The text that was kept, which is released by that. */
  handOver(): readonly Buffer[] | undefined {
    const { written } = this;
    this.written = undefined;
    return written;
  }

  /** Gives the room back, once the response holds nothing any more. */
  giveBack(): void {
    this.leave?.();
    this.leave = undefined;
  }

  /** The client has received the response, or has left. */
  end(): void {
    this.isOver = true;
  }
}
