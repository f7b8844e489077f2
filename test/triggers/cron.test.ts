import { describe, expect, it } from '@jest/globals';
import { CronError, isTimeZone, nextFire, parseCron } from '../../src/features/triggers/schedules/cron.js';
import { cpuTime } from '../support/runner/cpu-time.js';

function firings(expression: string, timezone: string, after: string, count: number): string[] {
  const cron = parseCron(expression, timezone);
  const found: string[] = [];
  for (let last = new Date(after); found.length < count;) {
    last = nextFire(cron, last);
    found.push(last.toISOString().slice(0, 16));
  }
  return found;
}

const inUtc = (expression: string, after: string, count: number) => firings(expression, 'UTC', after, count);

function refusal(expression: string, timezone?: string): string {
  try {
    parseCron(expression, timezone);
  } catch (error) {
    expect(error).toBeInstanceOf(CronError);
    return (error as CronError).message;
  }
  throw new Error(`${JSON.stringify(expression)} was taken.`);
}

describe('parseCron', () => {
  it.each([
    ['0 0 32 * *', 'Day 32 is out of range in cron "0 0 32 * *": expected 1-31.'],
    ['60 * * * *', 'Minute 60 is out of range in cron "60 * * * *": expected 0-59.'],
    ['0 24 * * *', 'Hour 24 is out of range in cron "0 24 * * *": expected 0-23.'],
    ['0 0 0 * *', 'Day 0 is out of range in cron "0 0 0 * *": expected 1-31.'],
    ['0 0 1 13 *', 'Month 13 is out of range in cron "0 0 1 13 *": expected 1-12.'],
    ['0 0 1 0 *', 'Month 0 is out of range in cron "0 0 1 0 *": expected 1-12.'],
    ['0 0 * * 8', 'Weekday 8 is out of range in cron "0 0 * * 8": expected 0-7.'],
    ['0 0 * * 1-9', 'Weekday 9 is out of range in cron "0 0 * * 1-9": expected 0-7.'],
    ['*/0 * * * *', 'Minute step 0 is out of range in cron "*/0 * * * *": expected 1-60.'],
    ['*/61 * * * *', 'Minute step 61 is out of range in cron "*/61 * * * *": expected 1-60.'],
    ['0 22-2 * * *', 'Hour range 22-2 runs backwards in cron "0 22-2 * * *": expected the lower end first.'],
    ['5/15 * * * *', 'Minute "5/15" has a step without a range in cron "5/15 * * * *": expected 5-59/15 or */15.'],
    ['0 0 31 2 *', 'Cron "0 0 31 2 *" never fires: no month that it names has such a day.'],
    ['0 0 * *', 'Cron "0 0 * *" has 4 fields: expected 5 (minute hour day month weekday).'],
    ['', 'Cron "" has 0 fields: expected 5 (minute hour day month weekday).'],
  ])('says what is wrong with %j and where', (expression, message) => {
    expect(refusal(expression)).toBe(message);
  });

  it.each([
    ['0 0 0 * * *', 'has 6 fields'],
    ['0 0 0 1 1 * 2030', 'has 7 fields'],
    ['@daily', 'has 1 field:'],
    ['@reboot', 'has 1 field:'],
    ['0 0 L * *', 'Day "L" is not understood'],
    ['0 0 LW * *', 'Day "LW" is not understood'],
    ['0 0 15W * *', 'Day "15W" is not understood'],
    ['0 0 * * 5L', 'Weekday "5L" is not understood'],
    ['0 0 * * 1#2', 'Weekday "1#2" is not understood'],
    ['0 0 ? * 1', 'Day "?" is not understood'],
    ['0 0 1 * +1', 'Weekday "+1" is not understood'],
    ['0 0 * * fri-mon', 'Weekday range fri-mon runs backwards'],
    ['0 0 * nov-feb *', 'Month range nov-feb runs backwards'],
    ['1,,2 * * * *', 'Minute has an empty part'],
    [',1 * * * *', 'Minute has an empty part'],
    ['1, * * * *', 'Minute has an empty part'],
    ['** * * * *', 'Minute "**" is not understood'],
    ['*-5 * * * *', 'Minute "*-5" is not understood'],
    ['1-2-3 * * * *', 'Minute "1-2-3" is not understood'],
    ['-1 * * * *', 'Minute "-1" is not understood'],
    ['1- * * * *', 'Minute "1-" is not understood'],
    ['/5 * * * *', 'Minute "/5" is not understood'],
    ['*/ * * * *', 'Minute "*/" is not understood'],
    ['*/2/3 * * * *', 'Minute "*/2/3" is not understood'],
    ['1.5 * * * *', 'Minute "1.5" is not understood'],
    ['1e1 * * * *', 'Minute "1e1" is not understood'],
    ['٣ * * * *', 'Minute "٣" is not understood'],
    ['0 0 * mon *', 'Month "mon" is not understood'],
    ['0 0 * * jan', 'Weekday "jan" is not understood'],
    ['0 0 * * monday', 'Weekday "monday" is not understood'],
    ['0 jan * * *', 'Hour "jan" is not understood'],
    ['0 0 30 2 *', 'never fires'],
    ['0 0 31 4,6,9,11 *', 'never fires'],
    ['0 0 30 2 */2', 'never fires'],
    ['\n0 0 * * *', 'Minute "\\n0" is not understood'],
    [`${'1,'.repeat(500)}1 * * * *`, 'at most 1000 characters'],
  ])('refuses %j', (expression, part) => {
    expect(refusal(expression)).toContain(part);
  });

  it('takes a day that only leap years have', () => {
    expect(inUtc('0 0 29 2 *', '2026-01-01T00:00Z', 2)).toEqual(['2028-02-29T00:00', '2032-02-29T00:00']);
  });

  it('takes an impossible day beside a weekday, since either is enough', () => {
    expect(inUtc('0 0 31 2 1', '2026-01-01T00:00Z', 2)).toEqual(['2026-02-02T00:00', '2026-02-09T00:00']);
  });

  it('takes runs of blanks between the fields, and leading zeros', () => {
    expect(inUtc(' 05  04\t* * * ', '2026-01-01T00:00Z', 1)).toEqual(['2026-01-01T04:05']);
  });

  it.each(['Mars/Base', '+02:00', ''])('refuses the time zone %j', (timezone) => {
    expect(refusal('* * * * *', timezone)).toBe(
      `Unknown time zone "${timezone}": expected an IANA name such as "Europe/Berlin".`,
    );
  });
});

describe('isTimeZone', () => {
  it.each(['UTC', 'Etc/UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'EST5EDT'])(
    'knows %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  it.each(['+02:00', '-0500', '+02', 'UTC+2', 'GMT+5', 'Europe/Nowhere', ' UTC', 'UTC\n', '', 'local'])(
    'refuses %j',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

describe('nextFire', () => {
  it('is strictly after the given moment, to the minute', () => {
    expect(inUtc('30 * * * *', '2026-05-01T10:30:00.000Z', 1)).toEqual(['2026-05-01T11:30']);
    expect(inUtc('30 * * * *', '2026-05-01T10:29:59.999Z', 1)).toEqual(['2026-05-01T10:30']);
    expect(inUtc('30 * * * *', '2026-05-01T10:30:00.001Z', 1)).toEqual(['2026-05-01T11:30']);
    expect(nextFire(parseCron('* * * * *'), new Date('2026-05-01T10:30:17.123Z')).toISOString()).toBe(
      '2026-05-01T10:31:00.000Z',
    );
  });

  it('reads 0, 7, sun and SUN as Sunday, also at the end of a range', () => {
    for (const weekday of ['0', '7', 'sun', 'SUN', '7-7', '*/7'])
      expect(inUtc(`0 0 * * ${weekday}`, '2026-05-01T00:00Z', 1)).toEqual(['2026-05-03T00:00']);
    for (const weekday of ['6-7', 'sat-sun', '0,6'])
      expect(inUtc(`0 0 * * ${weekday}`, '2026-05-01T00:00Z', 3)).toEqual([
        '2026-05-02T00:00',
        '2026-05-03T00:00',
        '2026-05-09T00:00',
      ]);
  });

  it('reads names of months in lists and ranges, in any case', () => {
    expect(inUtc('0 0 1 Jan-MAR,dec *', '2026-02-15T00:00Z', 3)).toEqual([
      '2026-03-01T00:00',
      '2026-12-01T00:00',
      '2027-01-01T00:00',
    ]);
  });

  it('steps through ranges from their start', () => {
    expect(inUtc('3-20/7 5 * * *', '2026-05-01T00:00Z', 4)).toEqual([
      '2026-05-01T05:03',
      '2026-05-01T05:10',
      '2026-05-01T05:17',
      '2026-05-02T05:03',
    ]);
  });

  it('fires on the day of the month or the weekday when both are restricted', () => {
    expect(inUtc('0 0 13 * fri', '2026-02-10T00:00Z', 3)).toEqual([
      '2026-02-13T00:00',
      '2026-02-20T00:00',
      '2026-02-27T00:00',
    ]);
    expect(inUtc('0 0 1-31 * 1', '2026-02-10T00:00Z', 2)).toEqual(['2026-02-11T00:00', '2026-02-12T00:00']);
  });

  it('wants the day of the month and the weekday when one of them starts with a star', () => {
    expect(inUtc('0 0 */2 * mon', '2026-06-01T00:00Z', 3)).toEqual([
      '2026-06-15T00:00',
      '2026-06-29T00:00',
      '2026-07-13T00:00',
    ]);
    expect(inUtc('0 0 13 * */5', '2026-01-01T00:00Z', 2)).toEqual(['2026-02-13T00:00', '2026-03-13T00:00']);
  });

  it('finds a firing years ahead at once', async () => {
    const time = await cpuTime(() => {
      expect(inUtc('0 0 29 2 *', '2096-02-29T00:00Z', 1)).toEqual(['2104-02-29T00:00']);
      expect(inUtc('0 0 29 2 */6', '2080-03-01T00:00Z', 1)).toEqual(['2088-02-29T00:00']);
      expect(inUtc('0 0 29 2 */7', '2088-03-01T00:00Z', 1)).toEqual(['2128-02-29T00:00']);
      expect(firings('* * 29 2 *', 'Europe/Berlin', '2096-03-01T00:00Z', 1)).toEqual(['2104-02-28T23:00']);
    });
    expect(time).toBeLessThan(1_000);
  });

  it.each(['UTC', 'Etc/UTC', 'GMT', 'utc'])('reads %s as UTC', (timezone) => {
    expect(firings('0 9 * * *', timezone, '2026-07-01T00:00Z', 1)).toEqual(['2026-07-01T09:00']);
  });
});
