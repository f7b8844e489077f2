import { setTimeout as sleep } from 'node:timers/promises';
import { restWhileBusy } from './company.js';
import { OneByOne } from './one-by-one.js';
import { nextTurn } from './pace.js';
import { ResultTurns } from './responses/result-turns.js';
import { accountsAtWork } from './work.js';

/** Parsing or serializing more JSON than this blocks the event loop for milliseconds. */
export const LONG_BYTES = 65_536;
/** The longest pause between two pieces, however busy the process is; in milliseconds. */
const MAX_REST_MS = 1_000;
/** Within this time, in milliseconds, the short pieces of a lane take together no longer than a long one. */
const MOMENT_MS = 100;

/**
 * The lane of work that holds a place which all accounts share. In the account's own lane it would wait behind other work of
 * the account, and all accounts would wait for the place.
 */
export function holderLane(accountId: string): string {
  return `${accountId} holds`;
}

/** The short pieces of a lane: those left until its next turn, and those that wait for it. */
interface Pieces {
  left: number;
  waiting: { bytes: number; begin: () => void }[];
}

/** Rests as long as the work took; while other accounts have work and the event loop is busy, up to four times as long. */
function restInCompany(milliseconds: number): Promise<unknown> {
  const most = Math.min(MAX_REST_MS, 4 * milliseconds);
  return accountsAtWork.isMixed ? restWhileBusy(milliseconds, most) : sleep(milliseconds);
}

/**
 * Work that blocks the event loop for milliseconds, one piece at a time. Accounts get the same time, and after each piece
 * the process gets as much for other work.
 */
export class LongWork {
  /** For results, whose work is divided into many short pieces. */
  readonly results = new ResultTurns();
  private readonly queue: OneByOne;
  private readonly pieces = new Map<string, Pieces>();
  private momentEnds = -Infinity;

  constructor(
    private readonly now: () => number = () => performance.now(),
    rest: (milliseconds: number) => Promise<unknown> = restInCompany,
  ) {
    this.queue = new OneByOne(now, (took) => rest(Math.min(MAX_REST_MS, took)));
  }

  /**
   * Resolves when it is the caller's turn. The caller does its piece of work synchronously, before it next awaits
   * anything.
   */
  turn(lane: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    void this.queue.add(lane, () => {
      resolve();
      return nextTurn();
    });
    return promise;
  }

  /**
   * Resolves when a further part of long work may be done: in turn while other accounts have work, else in the next turn of
   * the event loop.
   */
  pause(lane: string): Promise<void> {
    return accountsAtWork.isMixed ? this.turn(lane) : nextTurn();
  }

  /**
   * Resolves when work on so many bytes may be done: at once while the lane's pieces are few, in a turn of the lane where
   * they add up to a long one. Many short pieces share a turn.
   */
  async piece(lane: string, bytes: number): Promise<void> {
    const pieces = this.piecesOf(lane);
    if (pieces.waiting.length === 0 && bytes <= pieces.left) {
      pieces.left -= bytes;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    pieces.waiting.push({ bytes, begin: resolve });
    if (pieces.waiting.length === 1) void this.serve(lane, pieces);
    return promise;
  }

  private piecesOf(lane: string): Pieces {
    if (this.now() >= this.momentEnds) {
      this.momentEnds = this.now() + MOMENT_MS;
      for (const [name, { waiting }] of this.pieces) if (waiting.length === 0) this.pieces.delete(name);
    }
    const pieces = this.pieces.get(lane) ?? { left: LONG_BYTES, waiting: [] };
    this.pieces.set(lane, pieces);
    return pieces;
  }

  private async serve(lane: string, pieces: Pieces): Promise<void> {
    while (pieces.waiting.length > 0) {
      await this.turn(lane);
      pieces.left = LONG_BYTES;
      do {
        const { bytes, begin } = pieces.waiting.shift()!;
        pieces.left -= bytes;
        begin();
      } while (pieces.waiting.length > 0 && pieces.waiting[0]!.bytes <= pieces.left);
    }
  }
}
