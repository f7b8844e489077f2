import { describe, expect, it } from '@jest/globals';
import { Slots } from '../../../src/features/runs/execution/slots.js';

/** Takes as many slots for one account as plans admit. @returns the total. */
function fill(slots: Slots, account: string, batch = 100): number {
  let held = 0;
  for (let plan = slots.plan(batch); !plan.except.includes(account) && plan.count > 0; plan = slots.plan(batch)) {
    for (let taken = 0; taken < plan.count; taken += 1) slots.take(account);
    held += plan.count;
  }
  return held;
}

describe('Slots', () => {
  it('gives a single account two thirds, in batches', () => {
    const slots = new Slots(240);
    expect(slots.plan(100)).toEqual({ count: 100, except: [] });
    expect(fill(slots, 'greedy')).toBe(160);
    expect(slots.plan(100)).toEqual({ count: 53, except: ['greedy'] });
  });

  it('leaves slots for a fifth account when four are greedy, and does not refill theirs', () => {
    const slots = new Slots(240);
    const held = ['a', 'b', 'c', 'd'].map((account) => fill(slots, account));
    expect(held).toEqual([160, 53, 18, 6]);
    expect(slots.plan(100).count).toBeGreaterThan(0);
    for (let ended = 0; ended < 60; ended += 1) slots.release('a');
    expect(slots.plan(100).except).toEqual(['a']);
    expect(fill(slots, 'newcomer')).toBeGreaterThan(30);
  });

  it('never admits more than it has, whichever accounts the runs belong to', () => {
    const slots = new Slots(50);
    for (let turn = 0; turn < 5_000; turn += 1) {
      const { count, except } = slots.plan(10);
      for (let taken = 0; taken < count; taken += 1) {
        const account = `account-${Math.floor(Math.random() * 12)}`;
        if (!except.includes(account)) slots.take(account);
      }
      expect(slots.inUse).toBeLessThanOrEqual(50);
    }
  });

  it('serves an account again when many of its runs have ended, not after each', () => {
    const slots = new Slots(240);
    fill(slots, 'greedy');
    slots.release('greedy');
    expect(slots.plan(100).except).toEqual(['greedy']);
    for (let ended = 0; ended < 60; ended += 1) slots.release('greedy');
    expect(slots.plan(100)).toEqual({ count: 61, except: [] });
  });

  it('forgets accounts without runs', () => {
    const slots = new Slots(3);
    slots.take('a');
    slots.release('a');
    expect(slots.inUse).toBe(0);
    expect(slots.plan(10)).toEqual({ count: 2, except: [] });
  });
});
