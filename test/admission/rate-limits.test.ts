import { type RateDecision, RateLimits } from '../../src/admission/rate-limits.js';
import { cpuTime } from '../support/cpu-time.js';

describe('RateLimits', () => {
  let now = 0;
  const clock = { now: () => new Date(now) };
  const settings = { read: 10, write: 5, hook: 2 };

  beforeEach(() => (now = 1_000_000));

  const refusal = (decision: RateDecision | undefined) => decision?.refusal;

  it('allows a burst of two seconds, and one more is refused', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 20; i += 1) limits.take('read', 'a');
    expect(limits.take('read', 'a')).toMatchObject({
      headers: { 'ratelimit-policy': '"read";q=20;w=2', ratelimit: '"read";r=0;t=2' },
      refusal: { code: 'rate_limited', options: { retryAfter: 1 } },
    });
  });

  it('sustains the rate', () => {
    const limits = new RateLimits(clock, settings);
    let allowed = 0;
    for (let ms = 0; ms < 10_000; ms += 10) {
      now += 10;
      if (limits.take('read', 'a')!.refusal === undefined) allowed += 1;
    }
    expect(allowed).toBe(20 + 10 * 10 - 1);
  });

  it('keeps kinds and callers apart', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 10; i += 1) limits.take('write', 'a');
    expect(refusal(limits.take('write', 'a'))).toBeDefined();
    expect(limits.take('write', 'b')!.headers).toEqual({
      'ratelimit-policy': '"write";q=10;w=2',
      ratelimit: '"write";r=9;t=1',
    });
    expect(refusal(limits.take('read', 'a'))).toBeUndefined();
  });

  it('costs a refused request nothing', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 4; i += 1) limits.take('hook', 'h');
    for (let i = 0; i < 100; i += 1) expect(refusal(limits.take('hook', 'h'))).toBeDefined();
    now += 500;
    expect(refusal(limits.take('hook', 'h'))).toBeUndefined();
  });

  it('drains nobody when the clock is set back', () => {
    const limits = new RateLimits(clock, settings);
    limits.take('read', 'a');
    now -= 60_000;
    expect(limits.take('read', 'a')!.headers.ratelimit).toBe('"read";r=18;t=1');
  });

  it('gives a request back that was of another kind', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 100; i += 1) {
      expect(refusal(limits.take('read', 'a'))).toBeUndefined();
      limits.giveBack('read', 'a');
    }
  });

  it('is silent when limits are off', () => {
    const limits = new RateLimits(clock, undefined);
    for (let i = 0; i < 1_000; i += 1) expect(limits.take('read', 'a')).toBeUndefined();
  });

  it('forgets idle callers', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 10_000; i += 1) limits.take('read', `caller ${i}`);
    now += 2_000;
    limits.take('read', 'one more');
    expect((limits as unknown as { buckets: Map<string, unknown> }).buckets.size).toBe(1);
  });

  it('cost the next caller as much among 20,000 as among few', async () => {
    const timeOf = (callers: number): Promise<number> => {
      const limits = new RateLimits(clock, settings);
      for (let i = 0; i < callers; i += 1) limits.take('hook', `caller ${i}`);
      return cpuTime(() => {
        for (let i = 0; i < 2_000; i += 1) limits.take('hook', `next ${i}`);
      });
    };
    const leastOf = async (callers: number) =>
      Math.min(await timeOf(callers), await timeOf(callers), await timeOf(callers));
    await timeOf(0);
    const few = await leastOf(0);
    // To look at each of the 20,000 for each of the next would be seconds.
    expect(await leastOf(20_000)).toBeLessThan(10 * few + 50);
  });
});
