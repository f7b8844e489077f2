import { describe, expect, it } from '@jest/globals';
import { FairOrder } from '../../../src/features/runs/queue/fair-order.js';

function orderAt(start: string) {
  let now = Date.parse(start);
  const order = new FairOrder({ now: () => new Date(now) });
  return { order, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('FairOrder', () => {
  it('places ten runs of one account before most of 100,000 that another queued earlier', () => {
    const { order, pass } = orderAt('2026-11-21T10:00:00Z');
    const flood = Array.from({ length: 100_000 }, () => order.next('greedy'));
    pass(1_000);
    const ten = Array.from({ length: 10 }, () => order.next('modest'));
    const before = flood.filter((priority) => priority >= Math.min(...ten));
    expect(before.length).toBeLessThan(50);
  });

  it('keeps each account in the order in which it queued', () => {
    const { order, pass } = orderAt('2026-11-21T10:00:00Z');
    const all = Array.from({ length: 1_000 }, () => {
      pass(Math.random() * 10);
      return order.next('one');
    });
    expect(all).toEqual([...all].sort((a, b) => b - a));
  });

  it('shares evenly among accounts that queue a flood each', () => {
    const { order } = orderAt('2026-11-21T10:00:00Z');
    const queued = ['a', 'b', 'c'].flatMap((account) =>
      Array.from({ length: 1_000 }, () => ({ account, priority: order.next(account) })),
    );
    const first = queued.sort((x, y) => y.priority - x.priority).slice(0, 300);
    for (const account of ['a', 'b', 'c']) {
      const share = first.filter((run) => run.account === account).length;
      expect(share).toBeGreaterThanOrEqual(80);
      expect(share).toBeLessThanOrEqual(120);
    }
  });

  it('forgets a flood that is long past', () => {
    const { order, pass } = orderAt('2026-11-21T10:00:00Z');
    for (let run = 0; run < 1_000; run += 1) order.next('once greedy');
    pass(60_000);
    expect(order.next('once greedy')).toBe(order.next('modest'));
  });

  it('keeps most of a million runs that are not executed behind those of others an hour later', () => {
    const { order, pass } = orderAt('2026-11-21T10:00:00Z');
    const flood = Array.from({ length: 1_000_000 }, () => order.next('greedy'));
    pass(3_600_000);
    const modest = order.next('modest');
    expect(flood.filter((priority) => priority >= modest).length).toBeLessThan(72_100);
  });

  it('places no run more than twelve hours ahead', () => {
    const { order, pass } = orderAt('2026-11-21T10:00:00Z');
    const flood = Array.from({ length: 1_000_000 }, () => order.next('greedy'));
    pass(12 * 3_600_000 + 200);
    // At 20 a second the last 136,000 share the furthest place.
    expect(order.next('modest')).toBeLessThan(flood[500_000]!);
    expect(order.next('modest')).toBeLessThan(flood.at(-1)!);
  });

  it('starts again from the present when no run waits', () => {
    const { order } = orderAt('2026-11-21T10:00:00Z');
    for (let run = 0; run < 1_000; run += 1) order.next('busy');
    expect(order.isEven).toBe(false);
    order.reset();
    expect(order.isEven).toBe(true);
    expect(order.next('busy')).toBe(order.next('modest'));
  });

  it('remembers only accounts that are ahead of the present', () => {
    const { order, pass } = orderAt('2026-11-21T10:00:00Z');
    for (let account = 0; account < 30_000; account += 1) {
      pass(10);
      order.next(`account-${account}`);
    }
    expect((order as unknown as { ahead: Map<string, number> }).ahead.size).toBeLessThanOrEqual(10_001);
  });

  it.each(['2026-01-01T00:00:00Z', '2039-06-01T00:00:00Z'])('gives 32-bit integers in %s', (time) => {
    const { order } = orderAt(time);
    const priority = order.next('one');
    expect(priority | 0).toBe(priority);
  });
});
