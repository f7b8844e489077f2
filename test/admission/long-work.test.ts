import { beforeEach, describe, expect, it } from '@jest/globals';
import { LONG_BYTES, LongWork } from '../../src/platform/admission/long-work.js';
import { nextTurn } from '../../src/platform/admission/pace.js';

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
      'rest 40',
      'rest 20',
      'rest 30',
      'rest 1000',
    ]);
    expect(log.filter((_, index) => index % 2 === 0)).toEqual(['a 10', 'b 40', 'a 20', 'a 30', 'b 5000']);
  });

  describe('gives accounts the same time', () => {
    let now: number;
    let used: Record<string, number>;
    let work: LongWork;

    beforeEach(() => {
      [now, used] = [0, {}];
      work = new LongWork(() => now, turns);
    });

    /** As long as it takes an account to ask for its next piece. */
    const turns = async (): Promise<void> => {
      for (let count = 0; count < 3; count += 1) await nextTurn();
    };
    const does = async (lane: string, milliseconds: number): Promise<void> => {
      await work.turn(lane);
      now += milliseconds;
      used[lane] = (used[lane] ?? 0) + milliseconds;
    };
    /** One piece after another: an account that computes in slices never has two that wait. */
    const inSlices = async (lane: string, count: number, milliseconds: number): Promise<void> => {
      for (let done = 0; done < count; done += 1) {
        await does(lane, milliseconds);
        await nextTurn();
      }
    };

    it('however long their pieces are: 30 slices of 5 ms pass all but four pieces of 40 ms', async () => {
      const flood = Promise.all(Array.from({ length: 30 }, () => does('a', 40)));
      await inSlices('b', 30, 5);
      expect(used).toEqual({ a: 4 * 40, b: 30 * 5 });
      await flood;
    });

    it('of which several take an equal part', async () => {
      const floods = ['a', 'b', 'c'].map((lane) => Array.from({ length: 30 }, () => does(lane, 40)));
      await inSlices('d', 30, 5);
      expect(used).toEqual({ a: 4 * 40, b: 4 * 40, c: 4 * 40, d: 30 * 5 });
      await Promise.all(floods.flat());
    });

    it('only as long as they wait: time before that gives no claim', async () => {
      await inSlices('a', 100, 40);
      const flood = Promise.all(Array.from({ length: 30 }, () => does('a', 40)));
      await turns();
      used = {};
      await inSlices('b', 20, 40);
      expect(Math.abs(used.a! - used.b!)).toBeLessThanOrEqual(40);
      await flood;
    });

    it('and ever new accounts do not delay the second piece of one for ever', async () => {
      let isDone = false;
      const both = Promise.all([does('a', 40), does('a', 40)]).then(() => (isDone = true));
      const others: Promise<void>[] = [];
      const comes = (): unknown => others.push(does(`b${others.length}`, 40));
      for (let count = 0; count < 5; count += 1) comes();
      while (!isDone && others.length < 1_000) {
        const before = now;
        while (now === before) await nextTurn();
        comes();
      }
      expect(others.length).toBeLessThanOrEqual(5 * 4);
      await Promise.all([both, ...others]);
    });
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
