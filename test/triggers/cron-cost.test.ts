import { describe, expect, it } from '@jest/globals';
import cronstrue from 'cronstrue';
import fc from 'fast-check';
import { calendarOf, MAX_MONTHS } from '../../src/features/triggers/schedules/cron-calendar.js';
import { canonicalList } from '../../src/features/triggers/schedules/cron-canonical.js';
import { parseFields } from '../../src/features/triggers/schedules/cron-fields.js';
import { CronPreviews } from '../../src/features/triggers/schedules/cron-preview.js';
import { cronWords } from '../../src/features/triggers/schedules/cron-words.js';
import { KNOWN_CRONS } from '../../src/features/triggers/schedules/known-crons.js';
import { RecentlyUsed } from '../../src/platform/caches/recently-used.js';
import { nextFire, parseCron } from '../../src/features/triggers/schedules/cron.js';
import { countedCalls } from '../support/runner/counted-calls.js';

describe('the search for the next tick', () => {
  it.each(['0 0 29 2 */7', '0 0 29 2 */6', '59 23 29 2 */7', '0 0 31 */12 */7', '0 0 */31 */2 */7', '0 0 29 2 *'])(
    'of %j examines a bounded number of months from any year',
    (expression) => {
      const cron = parseCron(expression);
      let most = 0;
      for (let year = 2000; year < 2400; year += 1) {
        const from = new Date(`${year}-03-01T00:00:00Z`);
        let found = from;
        const dates = countedCalls(Date, 'UTC', () => (found = nextFire(cron, from)));
        expect(found.getTime()).toBeGreaterThan(from.getTime());
        most = Math.max(most, dates);
      }
      expect(most).toBeGreaterThan(0);
      // Two for each month that the expression names, in at most 41 years, and one for the result.
      expect(most).toBeLessThanOrEqual(2 * 41 + 1);
    },
  );

  it('ends for an expression that the parser would refuse', () => {
    expect(MAX_MONTHS).toBeLessThanOrEqual(500);
    const only = (...values: number[]) => ({ values, star: false, isWordy: false });
    const fields = { minute: only(0), hour: only(0), day: only(30), month: only(2), weekday: only(1) };
    expect(() => calendarOf(fields, true).next(0)).toThrow(RangeError);
  });
});

/** As long as an expression may be, of two values each time. */
const long = (part: string) => Array.from({ length: 480 / (part.length + 1) }, () => part).join(',');
const LONG = `${long('1-2')} ${long('3-4')} 1 1 1`;

describe('an expression that is used again', () => {
  const uses: [string, () => unknown][] = [
    ['its next tick', () => nextFire(parseCron(LONG, 'Europe/Berlin'), new Date())],
    ['its words', () => cronWords({ expression: LONG })],
  ];

  it.each(uses)('is not parsed again for %s', (_, use) => {
    use();
    // Only the name of the time zone is tested, twice.
    expect(countedCalls(RegExp.prototype, 'exec', use)).toBeLessThanOrEqual(2);
    expect(countedCalls(cronstrue, 'toString', use)).toBe(0);
  });

  it('takes the place of the one that was not used for the longest time', () => {
    const recent = new RecentlyUsed<number>(3);
    let made = 0;
    const use = (key: string) => recent.get(key, () => (made += 1));
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) use(key);
    expect([made, recent.size]).toEqual([5, 3]);
    expect(KNOWN_CRONS).toBeLessThanOrEqual(1_000);
  });
});

describe('the canonical form of an expression', () => {
  const size = { minute: [0, 60], hour: [0, 24], day: [1, 31], month: [1, 12], weekday: [0, 7] } as const;

  it('has at most 250 characters, so that no expression is too long for it', () => {
    const longest = Object.values(size).map(([low, count]) => {
      // By dynamic programming over the lengths of runs, each followed by a gap: the longest list of a field.
      const lengths = new Map<number, number>([[count + low + 1, 0]]);
      for (let start = count + low; start >= low; start -= 1) {
        let best = lengths.get(start + 1) ?? 0;
        for (let end = start; end < count + low; end += 1) {
          const run = Array.from({ length: end - start + 1 }, (_, index) => start + index);
          best = Math.max(best, canonicalList(run).length + 1 + (lengths.get(end + 2) ?? 0));
        }
        lengths.set(start, best);
      }
      return lengths.get(low)!;
    });
    // Each list was counted with a comma behind it: one of them is none, the others are the blanks.
    expect(longest.reduce((sum, length) => sum + length) - 1).toBeLessThanOrEqual(250);
  });

  it('means the same', () => {
    const lists = fc.subarray(
      Array.from({ length: 60 }, (_, value) => value),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(lists, (values) => {
        expect(parseFields(`${canonicalList(values)} * * * *`).minute.values).toEqual(values);
      }),
    );
  });

  it.each([
    [`${long('1-2')} 3 * * *`, 'At 1 and 2 minutes past the hour, at 03:00, every day'],
    ['*/15,0 * * * *', 'Every 15 minutes, minutes 0 through 45 past the hour'],
    [LONG, cronWords({ expression: '1,2 3,4 1 1 1' })],
  ])('gives the words of a list with repetitions, as of %j', (expression, words) => {
    expect(cronWords({ expression })).toBe(words);
  });

  it('gives the library at most 250 characters to describe', () => {
    const all = (count: number, low = 0) => Array.from({ length: count - 1 }, (_, index) => index + low).join(',');
    const expression = `${all(60)} ${all(24)} ${all(31, 1)} ${all(12, 1)} ${all(7)}`;
    let given = '';
    const { toString } = cronstrue;
    cronstrue.toString = (text, options) => toString.call(cronstrue, (given = text), options);
    cronWords({ expression });
    cronstrue.toString = toString;
    expect(given).toBe('0-58 0-22 1-30 1,2,3,4,5,6,7,8,9,10,11 0,1,2,3,4,5');
  });
});

describe('the previews of a document', () => {
  it('are computed one in a turn of the event loop, and those of another account in between', async () => {
    const previews = new CronPreviews({ now: () => new Date('2026-11-21T10:00:00Z') });
    const order: string[] = [];
    const preview = async (account: string) => {
      const { next } = await previews.of({ accountId: account }, { cron: '0 0 29 2 */7', count: 10 });
      expect(next).toHaveLength(10);
      order.push(account);
    };
    const other = () => {
      order.push('-');
      if (order.filter((one) => one !== '-').length < 4) setImmediate(other);
    };
    const all = [preview('a'), preview('a'), preview('a'), preview('b')];
    setImmediate(other);
    await Promise.all(all);
    expect(order.indexOf('b')).toBeLessThan(order.lastIndexOf('a'));
    for (const [index, one] of order.entries()) if (one !== '-') expect(order[index - 1]).not.toBe('a');
  });

  it('refuse an invalid expression', async () => {
    const previews = new CronPreviews({ now: () => new Date() });
    await expect(previews.of({ accountId: 'a' }, { cron: '@daily', count: 1 })).rejects.toThrow('cron');
  });
});
