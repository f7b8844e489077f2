import { describe, expect, it } from '@jest/globals';
import { steadily } from '../../../src/features/integrations/tokens/steadily.js';
import { until } from '../../support/until.js';

/** Longer than any test waits. */
const NEVER = 3_600_000;

/** Work on the numbers from 1 to `count`, three at once, which each test ends item by item. */
function working(count: number) {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<void>>();
  const frees: number[] = [];
  let [next, free] = [0, 3];
  const take = () => {
    frees.push(free);
    const items = Array.from({ length: Math.min(free, count - next) }, () => (next += 1));
    free -= items.length;
    return Promise.resolve(items);
  };
  const work = (item: number) => {
    begun.push(item);
    const end = Promise.withResolvers<void>();
    ends.set(item, end);
    return end.promise.finally(() => (free += 1));
  };
  return { all: steadily(take, work, NEVER), begun, ends, frees };
}

describe('steady work', () => {
  it('goes on in two of three slots while an item hangs in the third', async () => {
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

  it('takes what comes later, while all that began before hangs', async () => {
    const end = Promise.withResolvers<void>();
    const begun: string[] = [];
    const coming = [['hanging'], [], ['later']];
    const all = steadily(
      () => Promise.resolve(coming.shift() ?? []),
      (item) => {
        begun.push(item);
        return end.promise;
      },
      5,
    );
    await until(() => begun.length === 2);
    end.resolve();
    await all;
    expect(begun).toEqual(['hanging', 'later']);
  });

  it('ends what is under way when no more can be taken', async () => {
    const end = Promise.withResolvers<void>();
    let takes = 0;
    let isOver = false;
    const all = steadily(
      () => ((takes += 1) === 1 ? Promise.resolve([1]) : Promise.reject(new Error('away'))),
      () => end.promise.finally(() => (isOver = true)),
      NEVER,
    );
    end.resolve();
    await expect(all).rejects.toThrow('away');
    expect(isOver).toBe(true);
  });
});
