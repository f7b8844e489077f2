import { type RateDecision, RateLimits } from '../../src/platform/admission/rate-limits.js';
import { cpuTime } from '../support/runner/cpu-time.js';

describe('RateLimits', () => {
  let now = 0;
  const clock = { now: () => new Date(now) };
  const settings = { read: 10, write: 5, subscribe: 2, hook: 2, hookBytes: 1_000 };

  beforeEach(() => (now = 1_000_000));

  const refusal = (decision: RateDecision | undefined) => decision?.refusal;

  it('allows a burst of two seconds, and one more is refused', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 20; i += 1) limits.take('read', { id: 'a' });
    expect(limits.take('read', { id: 'a' })).toMatchObject({
      headers: { 'ratelimit-policy': '"read";q=20;w=2', ratelimit: '"read";r=0;t=2' },
      refusal: { code: 'rate_limited', options: { retryAfter: 1 } },
    });
  });

  it('holds back the refusals of a sender that repeats them, and those of no other', () => {
    const limits = new RateLimits(clock, settings);
    const flood = (id: string, count: number) => {
      for (let i = 0; i < count; i += 1) limits.take('read', { id, account: 'one' });
    };
    flood('a', 20 + 1_000);
    flood('b', 20);
    const heldMs = (id: string) => refusal(limits.take('read', { id, account: 'one' }))!.options.holdMs!;
    expect([heldMs('a') > 500, heldMs('b')]).toEqual([true, 0]);
  });

  it('lets the first 100 faults of an account pass at once, and holds back those that follow', () => {
    const limits = new RateLimits(clock, settings);
    const delays = Array.from({ length: 1_000 }, () => limits.delayOfFault('one'));
    expect([delays.slice(0, 100).some((delay) => delay > 1), delays.at(-1)! >= 500]).toEqual([false, true]);
    expect([limits.delayOfFault('another'), refusal(limits.take('read', { id: 'a', account: 'one' }))]).toEqual([
      0,
      undefined,
    ]);
    const unlimited = new RateLimits(clock, undefined);
    expect(Array.from({ length: 1_000 }, () => unlimited.delayOfFault('one')).every((delay) => delay === 0)).toBe(true);
  });

  it('sustains the rate', () => {
    const limits = new RateLimits(clock, settings);
    let allowed = 0;
    for (let ms = 0; ms < 10_000; ms += 10) {
      now += 10;
      if (limits.take('read', { id: 'a' })!.refusal === undefined) allowed += 1;
    }
    expect(allowed).toBe(20 + 10 * 10 - 1);
  });

  it('counts a weight that is not a number as a burst, and continues counting', () => {
    const limits = new RateLimits(clock, settings);
    expect(limits.recount('read', 'read', { id: 'a' }, NaN)).toMatchObject({
      headers: { ratelimit: '"read";r=0;t=2' },
    });
    expect(refusal(limits.take('read', { id: 'a' }))).toBeDefined();
  });

  it('keeps kinds and callers apart', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 10; i += 1) limits.take('write', { id: 'a' });
    expect(refusal(limits.take('write', { id: 'a' }))).toBeDefined();
    expect(limits.take('write', { id: 'b' })!.headers).toEqual({
      'ratelimit-policy': '"write";q=10;w=2',
      ratelimit: '"write";r=9;t=1',
    });
    expect(refusal(limits.take('read', { id: 'a' }))).toBeUndefined();
  });

  it('counts all senders of an account together, as twenty at their full rate', () => {
    const limits = new RateLimits(clock, settings);
    const take = (sender: number, account = 'one') =>
      refusal(limits.take('write', { id: String(sender), account }, 10));
    for (let sender = 0; sender < 20; sender += 1) expect(take(sender)).toBeUndefined();
    expect(take(20)).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('More than 100 writes a second of all keys and sessions of the account'),
    });
    expect(take(21, 'another')).toBeUndefined();
    // What was refused took nothing of the sender's own.
    now += 100;
    expect(take(20)).toBeUndefined();
    limits.recount('write', 'read', { id: '20', account: 'one' }, 1, 10);
    expect(take(22)).toBeUndefined();
    limits.spend('write', { id: '22', account: 'one' }, 10);
    expect(take(23)).toBeDefined();
  });

  it('does not count a refused request', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 4; i += 1) limits.take('hook', { id: 'h' });
    for (let i = 0; i < 100; i += 1) expect(refusal(limits.take('hook', { id: 'h' }))).toBeDefined();
    now += 500;
    expect(refusal(limits.take('hook', { id: 'h' }))).toBeUndefined();
  });

  it('takes nothing from any caller when the clock is set back', () => {
    const limits = new RateLimits(clock, settings);
    limits.take('read', { id: 'a' });
    now -= 60_000;
    expect(limits.take('read', { id: 'a' })!.headers.ratelimit).toBe('"read";r=18;t=1');
  });

  it('counts a request that was of another kind as that alone', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 100; i += 1) {
      expect(refusal(limits.take('read', { id: 'a' }))).toBeUndefined();
      limits.recount('read', 'write', { id: 'a' }, 1);
    }
  });

  it('counts by weight: what is left lets one pass, and what it weighs beyond that is missing for the next', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 19; i += 1) limits.take('read', { id: 'a' });
    expect(limits.take('read', { id: 'a' }, 15)).toMatchObject({
      headers: { ratelimit: '"read";r=0;t=4' },
      refusal: undefined,
    });
    expect(limits.take('read', { id: 'a' })).toMatchObject({
      headers: { ratelimit: '"read";r=0;t=4' },
      refusal: { options: { retryAfter: 2 } },
    });
    now += 1_499;
    expect(refusal(limits.take('read', { id: 'a' }))).toBeDefined();
    now += 1;
    expect(refusal(limits.take('read', { id: 'a' }))).toBeUndefined();
  });

  it('counts what weighs more than a burst as a burst', () => {
    const limits = new RateLimits(clock, settings);
    expect(limits.take('read', { id: 'a' }, 1_000)!.headers.ratelimit).toBe('"read";r=0;t=2');
    now += 100;
    expect(refusal(limits.take('read', { id: 'a' }))).toBeUndefined();
  });

  it('remembers callers in debt among many idle ones', () => {
    const limits = new RateLimits(clock, settings);
    limits.take('write', { id: 'owes' }, 10);
    limits.recount('read', 'write', { id: 'other' }, 1);
    for (let i = 0; i < 3; i += 1) void limits.turn('subscribe', { id: 'waits' }, 4);
    for (let i = 0; i < 10_000; i += 1) limits.take('read', { id: `caller ${i}` });
    now += 2_000;
    limits.take('read', { id: 'one more' });
    expect([...(limits as unknown as { buckets: Map<string, unknown> }).buckets.keys()]).toEqual([
      'subscribe waits',
      'read one more',
    ]);
  });

  it('lets a request wait for up to 30 seconds, and refuses one that would wait longer', async () => {
    const fast = new RateLimits(clock, { ...settings, subscribe: 1_000 });
    const begun: number[] = [];
    const turns = Array.from({ length: 2_003 }, async (_, index) => {
      await fast.turn('subscribe', { id: 'a' });
      begun.push(index);
    });
    await Promise.all(turns);
    expect(begun.slice(0, 2_000)).toEqual(Array.from({ length: 2_000 }, (_, index) => index));
    // A burst of 2, and 60 that wait for up to 30 seconds.
    const slow = new RateLimits(clock, settings);
    const refused = async (count: number) => {
      const answers = Array.from({ length: count }, () =>
        slow.turn('subscribe', { id: 'a' }).then(
          () => false,
          () => true,
        ),
      );
      return (await Promise.race([
        Promise.all(answers.slice(-1)),
        new Promise((resolve) => setImmediate(resolve, [false])),
      ])) as boolean[];
    };
    expect(await refused(64)).toEqual([false]);
    expect(await refused(1)).toEqual([true]);
    await expect(slow.turn('subscribe', { id: 'a' })).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(slow.turn('subscribe', { id: 'b' })).resolves.toBeUndefined();
  });

  it('is silent when limits are off', () => {
    const limits = new RateLimits(clock, undefined);
    for (let i = 0; i < 1_000; i += 1) expect(limits.take('read', { id: 'a' })).toBeUndefined();
  });

  it('forgets idle callers', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 10_000; i += 1) limits.take('read', { id: `caller ${i}` });
    now += 2_000;
    limits.take('read', { id: 'one more' });
    expect((limits as unknown as { buckets: Map<string, unknown> }).buckets.size).toBe(1);
  });

  it('forgets callers in debt, once they have paid', () => {
    const limits = new RateLimits(clock, settings);
    for (let i = 0; i < 10_000; i += 1) limits.spend('hookBytes', { id: `caller ${i}` }, 10_000);
    const kept = (): number => {
      limits.take('read', { id: `${now}` });
      return (limits as unknown as { buckets: Map<string, unknown> }).buckets.size;
    };
    now += 8_000;
    expect(kept()).toBe(10_001);
    now += 2_000;
    expect(kept()).toBe(1);
  });

  it('cost a new caller as much among 20,000 callers as among few', async () => {
    const timeOf = (callers: number): Promise<number> => {
      const limits = new RateLimits(clock, settings);
      for (let i = 0; i < callers; i += 1) limits.take('hook', { id: `caller ${i}` });
      return cpuTime(() => {
        for (let i = 0; i < 2_000; i += 1) limits.take('hook', { id: `next ${i}` });
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
