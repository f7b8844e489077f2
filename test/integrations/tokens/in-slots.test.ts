import { describe, expect, it } from '@jest/globals';
import { inSlots } from '../../../src/features/integrations/tokens/each-alone.js';
import { until } from '../../support/until.js';

/** Work on the numbers from 1 to `count` in three slots, which each test ends item by item. */
function working(count: number) {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<void>>();
  const frees: number[] = [];
  let next = 0;
  const take = (free: number) => {
    frees.push(free);
    return Promise.resolve(Array.from({ length: Math.min(free, count - next) }, () => (next += 1)));
  };
  const all = inSlots(3, take, (item) => {
    begun.push(item);
    const end = Promise.withResolvers<void>();
    ends.set(item, end);
    return end.promise;
  });
  return { all, begun, ends, frees };
}

describe('work in three slots', () => {
  it('goes on in two of them while an item hangs in the third', async () => {
    const { all, begun, ends, frees } = working(6);
    for (const [item, begins] of [
      [2, 4],
      [3, 5],
      [4, 6],
      [5, 6],
      [6, 6],
    ] as const) {
      await until(() => begun.includes(item));
      ends.get(item)!.resolve();
      await until(() => begun.length === begins);
    }
    ends.get(1)!.resolve();
    await all;
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
    expect(Math.max(...frees)).toBe(3);
    expect(frees.slice(0, 2)).toEqual([3, 1]);
  });

  it('goes on after a failure, which it reports at the end', async () => {
    const { all, begun, ends } = working(4);
    await until(() => begun.length === 3);
    ends.get(1)!.reject(new Error('first'));
    await until(() => begun.length === 4);
    ends.get(2)!.reject(new Error('second'));
    for (const item of [3, 4]) ends.get(item)!.resolve();
    await expect(all).rejects.toThrow('first');
  });

  it('ends what is under way when no more can be taken', async () => {
    const end = Promise.withResolvers<void>();
    let takes = 0;
    let isOver = false;
    const all = inSlots(
      2,
      () => ((takes += 1) === 1 ? Promise.resolve([1]) : Promise.reject(new Error('away'))),
      () => end.promise.finally(() => (isOver = true)),
    );
    end.resolve();
    await expect(all).rejects.toThrow('away');
    expect(isOver).toBe(true);
  });
});
