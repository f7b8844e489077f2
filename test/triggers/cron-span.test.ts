import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countFires, lastFireUntil } from '../../src/features/triggers/schedules/cron-span.js';
import { nextFire, parseCron } from '../../src/features/triggers/schedules/cron.js';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Nuuk', 'Asia/Kolkata'];
const DAY_MS = 86_400_000;

/** Every firing after a moment up to another, one by one. */
function walk(expression: string, zone: string, after: Date, until: Date): Date[] {
  const cron = parseCron(expression, zone);
  const found: Date[] = [];
  for (let at = nextFire(cron, after); at <= until; at = nextFire(cron, at)) found.push(at);
  return found;
}

function expectSameAsWalk(expression: string, zone: string, after: Date, until: Date): void {
  const walked = walk(expression, zone, after, until);
  if (walked.length === 0) return;
  const cron = parseCron(expression, zone);
  const [first, last] = [walked[0]!, walked.at(-1)!];
  expect(lastFireUntil(cron, first, until)).toEqual(last);
  expect(countFires(cron, first, last)).toBe(walked.length);
}

describe('counting firings', () => {
  it.each(ZONES)('finds as many as stepping does, and the same last one, when the clocks of %s change', (zone) => {
    const part = fc.constantFrom('*', '*/7', '0', '30', '15,45', '0-20/5');
    const hour = fc.constantFrom('*', '*/2', '0', '1', '2', '3', '1-3', '23,0', '2,3');
    const rest = fc.constantFrom('* * *', '*/2 * *', '* * 0', '29 3 *', '1,25 * 6');
    // Around the days on which one or the other of the zones moves its clocks.
    const day = fc.constantFrom('2026-03-07', '2026-03-28', '2026-04-04', '2026-10-03', '2026-10-24', '2026-10-31');
    fc.assert(
      fc.property(
        part,
        hour,
        rest,
        day,
        fc.nat(1_500),
        fc.nat(3 * 1_440),
        (minute, hours, days, date, offset, length) => {
          const after = new Date(Date.parse(date) + offset * 60_000);
          expectSameAsWalk(`${minute} ${hours} ${days}`, zone, after, new Date(after.getTime() + length * 60_000));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes a year of minutes as days, with the hours that are missing or repeated', () => {
    const cron = parseCron('* * * * *', 'Europe/Berlin');
    const first = new Date('2025-11-21T10:07:00Z');
    const until = new Date('2026-11-21T10:07:30Z');
    const last = lastFireUntil(cron, first, until);
    expect(last).toEqual(new Date('2026-11-21T10:07:00Z'));
    expect(countFires(cron, first, last)).toBe(365 * 1_440 + 1);
    const daily = parseCron('30 2 * * *', 'Europe/Berlin');
    const tick = nextFire(daily, first);
    expect(countFires(daily, tick, new Date(tick.getTime() + 365 * DAY_MS))).toBe(366);
  });
});
