import { describe, expect, it } from '@jest/globals';
import { FairShare } from '../../src/platform/admission/fair-share.js';

const never = new AbortController().signal;

/** Takes shares, and records the names of those who received one. */
function taker(share: FairShare) {
  const given: string[] = [];
  const take = async (who: string, amount: number, signal = never) => {
    const giveBack = await share.take(who, amount, signal);
    given.push(who);
    return giveBack;
  };
  return { given, take };
}

/** Lets all pending promises continue. */
const settle = () => new Promise(setImmediate);

describe('a fair share', () => {
  it('gives a single account two thirds, and keeps the rest for new accounts', async () => {
    const { given, take } = taker(new FairShare(12));
    const back = await Promise.all(Array.from({ length: 8 }, () => take('a', 1)));
    const ninth = take('a', 1);
    await take('b', 1);
    expect(given.filter((who) => who === 'a')).toHaveLength(8);
    back[0]!();
    back[1]!();
    await ninth;
  });

  it('serves accounts that hold nothing before those that hold much', async () => {
    const { given, take } = taker(new FairShare(12));
    const back = await take('a', 8);
    const more = take('a', 4);
    const other = take('b', 3);
    await settle();
    expect(given).toEqual(['a']);
    back();
    await Promise.all([more, other]);
    expect(given).toEqual(['a', 'a', 'b']);
  });

  it('lets no other account overtake one that holds nothing and needs much', async () => {
    const { given, take } = taker(new FairShare(12));
    const [first, second] = [await take('a', 4), await take('b', 2)];
    const large = take('c', 6);
    const small = [take('d', 1), take('a', 1)];
    await settle();
    expect(given).toEqual(['a', 'b']);
    first();
    second();
    await Promise.all([large, ...small]);
    expect(given).toEqual(['a', 'b', 'c', 'd', 'a']);
  });

  it('gives each account its floor, however much others hold, and whoever waits', async () => {
    const share = new FairShare(12, 2);
    const { given, take } = taker(share);
    share.hold('a', 20);
    const late = take('b', 5);
    expect(share.hasRoom('c')).toBe(true);
    const [one] = [await take('c', 2)];
    expect(share.tryTake('c', 1)).toBeUndefined();
    const more = take('c', 1);
    await settle();
    expect(given).toEqual(['c']);
    one();
    await more;
    expect(given).toEqual(['c', 'c']);
    void late;
  });

  it('gives a request larger than the whole share to a single account', async () => {
    const { given, take } = taker(new FairShare(12));
    const small = await take('a', 1);
    const huge = take('b', 100);
    await settle();
    expect(given).toEqual(['a']);
    small();
    (await huge)();
    await take('a', 8);
  });

  it('forgets requests that no longer wait, and counts a double release once', async () => {
    const { take } = taker(new FairShare(12));
    const back = await take('a', 8);
    const reason = new Error('enough');
    const waiting = new AbortController();
    const large = take('b', 6, waiting.signal);
    const small = take('c', 1);
    waiting.abort(reason);
    await expect(large).rejects.toBe(reason);
    await small;
    await expect(take('d', 1, waiting.signal)).rejects.toBe(reason);
    back();
    back();
    const [seven, more] = [await take('a', 7), take('a', 1)];
    await settle();
    seven();
    await more;
  });

  it('takes at once what fits, and nothing where it does not fit or an account without any waits', async () => {
    const share = new FairShare(12);
    const back = share.tryTake('a', 8);
    expect(back).toBeDefined();
    expect([share.inUse, share.heldBy('a')]).toEqual([8, 8]);
    expect(share.tryTake('a', 1)).toBeUndefined();
    const waits = share.take('b', 6, never);
    expect(share.tryTake('c', 1)).toBeUndefined();
    back!();
    (await waits)();
    expect(share.tryTake('c', 1)).toBeDefined();
  });

  it('serves many waiting requests in a linear number of steps', async () => {
    let steps = 0;
    class Counted extends FairShare {
      protected override fits(who: string, amount: number): boolean {
        steps += 1;
        return super.fits(who, amount);
      }
    }
    const share = new Counted(12);
    const back = [await share.take('a', 4, never), await share.take('b', 4, never)];
    const many = Array.from({ length: 5_000 }, (_, n) => share.take(n % 2 ? 'a' : 'b', 4, never));
    back.forEach((giveBack) => giveBack());
    for (const turn of many) (await turn)();
    expect(share.inUse).toBe(0);
    expect(steps).toBeLessThanOrEqual(10 * many.length);
  });
});
