import { describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, nextAttemptAt } from '../../src/platform/http/backoff.js';

const NOW = new Date('2026-11-21T10:00:00.000Z');
const waits = (attempts: number, notBefore?: Date) =>
  Array.from({ length: 500 }, () => nextAttemptAt(NOW, attempts, notBefore).getTime() - NOW.getTime());

describe('nextAttemptAt', () => {
  it.each([
    [1, 2_000],
    [2, 8_000],
    [3, 32_000],
    [4, 128_000],
  ])('waits after %i attempts at least %i ms, and up to a fifth more, at random', (attempts, least) => {
    const all = waits(attempts);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...all)).toBeLessThanOrEqual(least * 1.2);
    expect(new Set(all).size).toBeGreaterThan(50);
  });

  it('waits at least until notBefore, with jitter', () => {
    const all = waits(1, new Date(NOW.getTime() + 600_000));
    expect(Math.min(...all)).toBeGreaterThanOrEqual(600_000);
    expect(Math.max(...all)).toBeLessThanOrEqual(600_400);
    expect(new Set(all).size).toBeGreaterThan(50);
  });

  it('never comes sooner because of notBefore', () => {
    expect(Math.min(...waits(3, new Date(NOW.getTime() + 1_000)))).toBeGreaterThanOrEqual(32_000);
  });

  it('is asked four times at most', () => {
    expect(MAX_ATTEMPTS).toBe(5);
  });
});
