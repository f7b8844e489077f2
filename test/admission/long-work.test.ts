import { describe, expect, it } from '@jest/globals';
import { LongWork } from '../../src/platform/admission/long-work.js';

describe('work that blocks the event loop', () => {
  it('is done one piece at a time, accounts take turns, and each piece is followed by as long a rest', async () => {
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
    expect(log.filter((_, index) => index % 2 === 1)).toEqual(['rest 10', 'rest 20', 'rest 40', 'rest 30', 'rest 100']);
    expect(log.filter((_, index) => index % 2 === 0)).toEqual(['a 10', 'a 20', 'b 40', 'a 30', 'b 5000']);
  });
});
