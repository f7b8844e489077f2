import { setTimeout as sleep } from 'node:timers/promises';
import { OneByOne } from './one-by-one.js';
import { nextTurn } from './pace.js';

/** JSON of more bytes takes milliseconds to parse or to write, in which nothing else is done. */
export const LONG_BYTES = 65_536;
/** No rest is longer, however busy the process is with other things; in milliseconds. */
const LONGEST_REST_MS = 100;

/**
 * Work that blocks the event loop for milliseconds. One piece of it is done at a time; accounts take turns, and after each
 * piece the process has as long for what else it has to do.
 */
export class LongWork {
  private readonly queue = new OneByOne();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly rest: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds),
  ) {}

  /** Resolves when it is the caller's turn: the work is what the caller does before it waits again. */
  turn(lane: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    void this.queue.add(lane, async () => {
      const began = this.now();
      resolve();
      await nextTurn();
      await this.rest(Math.min(LONGEST_REST_MS, this.now() - began));
    });
    return promise;
  }
}
