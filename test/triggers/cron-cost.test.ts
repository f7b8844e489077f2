import { describe, expect, it } from '@jest/globals';
import { calendarOf, MAX_MONTHS } from '../../src/features/triggers/schedules/cron-calendar.js';
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
    const only = (...values: number[]) => ({ values, star: false });
    const fields = { minute: only(0), hour: only(0), day: only(30), month: only(2), weekday: only(1) };
    expect(() => calendarOf(fields, true).next(0)).toThrow(RangeError);
  });
});
