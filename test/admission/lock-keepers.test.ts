import { describe, expect, it } from '@jest/globals';
import { LockKeepers } from '../../src/platform/db/groups/lock-keepers.js';

describe('an account that keeps rows locked', () => {
  it('counts for ten seconds, twice as long with each repetition, and five minutes at most', () => {
    let now = 0;
    const keepers = new LockKeepers(2, () => now);
    keepers.note('a');
    expect([keepers.has('a'), keepers.hasAny]).toEqual([false, false]);
    const seconds: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const since = now;
      keepers.note('a');
      expect([keepers.has('b'), keepers.hasAny]).toEqual([false, true]);
      // While it counts, nothing is added.
      keepers.note('a');
      while (keepers.has('a')) now += 1_000;
      expect(keepers.hasAny).toBe(false);
      seconds.push((now - since) / 1_000);
    }
    expect(seconds).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  it('is forgotten a minute later', () => {
    let now = 0;
    const keepers = new LockKeepers(2, () => now);
    keepers.note('a');
    now += 60_000;
    keepers.note('a');
    expect(keepers.has('a')).toBe(false);
    now += 59_999;
    keepers.note('a');
    expect(keepers.has('a')).toBe(true);
  });
});
