import { describe, expect, it } from '@jest/globals';
import { LONG_BYTES, LongWork } from '../../src/platform/admission/long-work.js';

describe('work that blocks the event loop', () => {
  it('runs one piece at a time, accounts take turns, and a pause as long as the piece follows each', async () => {
    let now = 0;
    const log: string[] = [];
    const work = new LongWork(
      () => now,
      (milliseconds) => Promise.resolve(log.push(`rest ${milliseconds}`)),
    );
    const does = async (lane: string, milliseconds: number): Promise<void> => {
      await work.turn(lane);
      now += milliseconds;
      log.push(`${lane} ${milliseconds}`);
    };
    // The first is begun before the others come.
    await Promise.all([does('a', 10), does('a', 20), does('a', 30), does('b', 40), does('b', 5_000)]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(log.filter((_, index) => index % 2 === 1)).toEqual([
      'rest 10',
      'rest 20',
      'rest 40',
      'rest 30',
      'rest 1000',
    ]);
    expect(log.filter((_, index) => index % 2 === 0)).toEqual(['a 10', 'a 20', 'b 40', 'a 30', 'b 5000']);
  });

  it('begins at once if its pieces are short, until those of an account add up to a long one', async () => {
    let now = 0;
    const rests: (() => void)[] = [];
    const work = new LongWork(
      () => now,
      () => new Promise<void>((resolve) => rests.push(resolve)),
    );
    const begun: string[] = [];
    const does = (lane: string, bytes: number) =>
      void work.piece(lane, bytes).then(() => begun.push(`${lane} ${bytes}`));
    const some = (count: number, lane: string, bytes: number) =>
      Array.from({ length: count }, () => `${lane} ${bytes}`);
    /** What was begun since the last look, once nothing more begins by itself. */
    const news = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return begun.splice(0);
    };
    for (let n = 0; n < 300; n += 1) does('a', 1_024);
    does('b', 1_024);
    // The rest of account a's takes a turn of 64 at once; another account's first does not wait for it.
    expect((await news()).sort()).toEqual([...some(128, 'a', 1_024), 'b 1024']);
    does('c', LONG_BYTES + 1);
    rests.shift()!();
    expect(await news()).toEqual(some(64, 'a', 1_024));
    rests.shift()!();
    expect(await news()).toEqual(['c 65537']);
    rests.shift()!();
    expect(await news()).toEqual(some(64, 'a', 1_024));
    rests.shift()!();
    expect(await news()).toEqual(some(44, 'a', 1_024));
    does('a', 20 * 1_024);
    does('a', 1_024);
    expect(await news()).toEqual(['a 20480']);
    rests.shift()!();
    expect(await news()).toEqual(['a 1024']);
    now += 100;
    does('a', LONG_BYTES);
    expect(await news()).toEqual(['a 65536']);
  });
});
