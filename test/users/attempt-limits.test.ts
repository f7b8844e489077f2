import { AttemptLimits } from '../../src/features/users/sign-in/attempt-limits.js';

/** A map that counts the entries which are looked at one after the other. */
class CountingMap extends Map<string, number> {
  looked = 0;

  override *entries(): MapIterator<[string, number]> {
    for (const entry of super.entries()) {
      this.looked += 1;
      yield entry;
    }
  }

  override [Symbol.iterator](): MapIterator<[string, number]> {
    return this.entries();
  }
}

describe('the limits of attempts', () => {
  let now = 0;
  const remembered = new CountingMap();
  const limits = new AttemptLimits({ now: () => new Date(now) }, true);
  Object.assign(limits, { restAt: remembered });
  /** Addresses that differ. */
  const attempt = (index: number) => limits.take({ address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` });

  it('look at two entries for each that they count, however many there are', () => {
    for (let index = 0; index < 20_000; index += 1) attempt(index);
    expect(remembered.size).toBe(20_000);
    const before = remembered.looked;
    attempt(20_000);
    expect(remembered.looked - before).toBeLessThanOrEqual(2);
  });

  it('drop expired entries sooner than new ones come', () => {
    now += 3_600_000;
    for (let index = 30_000; index < 71_000; index += 1) attempt(index);
    expect(remembered.size).toBe(41_000);
  });

  it('keep entries that have not expired', () => {
    for (let guesses = 0; guesses < 30; guesses += 1) limits.take({ address: '192.0.2.1' });
    for (let index = 0; index < 5_000; index += 1) attempt(index);
    expect(() => limits.take({ address: '192.0.2.1' })).toThrow('Too many attempts.');
  });
});
