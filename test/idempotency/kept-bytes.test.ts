import { KEPT_OF_ACCOUNT, KeptBytes, SHORT_BYTES } from '../../src/features/idempotency/kept-bytes.js';
import { StillClock } from '../support/clock.js';

const MB = 1_048_576;

class Hand extends StillClock {
  pass(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }
}

describe('the kept responses of an account', () => {
  let clock: Hand;
  let kept: KeptBytes;
  beforeEach(() => {
    clock = new Hand();
    kept = new KeptBytes(clock);
  });
  const fill = () => {
    for (let number = 0; number < 128; number += 1) kept.add('a', 2 * MB);
  };

  it('have 256 MB at once, and the same again in the course of a day', () => {
    expect(KEPT_OF_ACCOUNT).toBe(256 * MB);
    fill();
    const more = () => kept.add('a', SHORT_BYTES + 1);
    expect(more).toThrow(expect.objectContaining({ code: 'rate_limited', options: { retryAfter: 6 } }) as Error);
    clock.pass(6_000);
    expect(more).not.toThrow();
    expect(more).toThrow();
    clock.pass(86_400_000);
    fill();
    expect(more).toThrow();
  });

  it('do not count up to 16 kB, nor for other accounts', () => {
    fill();
    for (let number = 0; number < 1_000; number += 1) kept.add('a', 16_384);
    kept.add('b', 2 * MB);
  });

  it('do not drain while the clock is set back', () => {
    fill();
    clock.pass(-3_600_000);
    expect(() => kept.add('a', 2 * MB)).toThrow();
  });

  it('count over all processes of a machine', () => {
    const reported: [string, number][] = [];
    let shared = { subtract: (_: string, _bytes: number): void => undefined, missing: (): [string, number][] => [] };
    const spending = {
      share: (buckets: typeof shared) => (shared = buckets),
      add: (name: string, bytes: number) => reported.push([name, bytes]),
    };
    kept = new KeptBytes(clock, spending as never);
    kept.add('a', 2 * MB);
    expect([reported, shared.missing()]).toEqual([[['a', 2 * MB]], [['a', 2 * MB]]]);
    shared.subtract('a', 254 * MB);
    expect(() => kept.add('a', 2 * MB)).toThrow();
  });
});
