import { describe, expect, it } from '@jest/globals';
import { nextFire, parseCron } from '../../src/features/triggers/schedules/cron.js';

function firings(expression: string, timezone: string, after: string, until: string): string[] {
  const cron = parseCron(expression, timezone);
  const found: string[] = [];
  for (let at = nextFire(cron, new Date(after)); at < new Date(until); at = nextFire(cron, at))
    found.push(at.toISOString().slice(0, 16));
  return found;
}

interface Change {
  zone: string;
  /** A time of day that the clocks skip. */
  skipped: string;
  gapDay: [string, string];
  gapEnds: string;
  /** A time of day that they show twice. */
  repeated: string;
  repeatDay: [string, string];
  firstPass: string;
}

const CHANGES: Change[] = [
  {
    zone: 'Europe/Berlin',
    skipped: '30 2 * * *',
    gapDay: ['2026-03-28T12:00Z', '2026-03-29T12:00Z'],
    gapEnds: '2026-03-29T01:00',
    repeated: '30 2 * * *',
    repeatDay: ['2026-10-24T12:00Z', '2026-10-25T12:00Z'],
    firstPass: '2026-10-25T00:30',
  },
  {
    zone: 'America/New_York',
    skipped: '15 2 * * *',
    gapDay: ['2026-03-07T18:00Z', '2026-03-08T18:00Z'],
    gapEnds: '2026-03-08T07:00',
    repeated: '15 1 * * *',
    repeatDay: ['2026-10-31T18:00Z', '2026-11-01T18:00Z'],
    firstPass: '2026-11-01T05:15',
  },
  {
    zone: 'Australia/Lord_Howe',
    skipped: '10 2 * * *',
    gapDay: ['2026-10-03T06:00Z', '2026-10-04T06:00Z'],
    gapEnds: '2026-10-03T15:30',
    repeated: '45 1 * * *',
    repeatDay: ['2026-04-04T06:00Z', '2026-04-05T06:00Z'],
    firstPass: '2026-04-04T14:45',
  },
  {
    // The clocks go from 23:00 to midnight: the skipped time belongs to the day before the end of the gap.
    zone: 'America/Nuuk',
    skipped: '30 23 * * 6',
    gapDay: ['2026-03-28T12:00Z', '2026-03-29T12:00Z'],
    gapEnds: '2026-03-29T01:00',
    repeated: '30 23 * * 6',
    repeatDay: ['2026-10-24T12:00Z', '2026-10-25T12:00Z'],
    firstPass: '2026-10-25T00:30',
  },
];

describe.each(CHANGES)('nextFire on the clocks of $zone', (change) => {
  it('fires a skipped time of day once, at the end of the gap', () => {
    expect(firings(change.skipped, change.zone, ...change.gapDay)).toEqual([change.gapEnds]);
  });

  it('fires a repeated time of day once, the first time', () => {
    expect(firings(change.repeated, change.zone, ...change.repeatDay)).toEqual([change.firstPass]);
  });

  it('keeps the pace of every ten minutes through both', () => {
    for (const [from, until] of [change.gapDay, change.repeatDay]) {
      const found = firings('*/10 * * * *', change.zone, from, until).map((at) => Date.parse(`${at}Z`));
      expect(found).toHaveLength(24 * 6 - 1);
      expect(found.every((at, index) => index === 0 || at - (found[index - 1] ?? 0) === 600_000)).toBe(true);
    }
  });
});

describe('nextFire when the clocks change', () => {
  it('fires several skipped times once', () => {
    expect(firings('0-45/15 2-3 * * *', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T03:00Z')).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T01:15',
      '2026-03-29T01:30',
      '2026-03-29T01:45',
    ]);
  });

  it('does not fire a time of day again when asked from within its second pass', () => {
    expect(firings('45 2 * * *', 'Europe/Berlin', '2026-10-25T01:10Z', '2026-10-26T12:00Z')).toEqual([
      '2026-10-26T01:45',
    ]);
  });

  it('leaves out the firings of an interval inside a gap', () => {
    expect(firings('30 */2 * * *', 'Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T04:00Z')).toEqual([
      '2026-03-28T23:30',
      '2026-03-29T02:30',
    ]);
  });

  it('fires a pace in both passes', () => {
    expect(firings('30 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', '2026-10-25T03:00Z')).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ]);
  });

  it('follows local time through the year', () => {
    expect(firings('0 9 1 1,7 *', 'Europe/Berlin', '2026-01-01T00:00Z', '2026-12-01T00:00Z')).toEqual([
      '2026-01-01T08:00',
      '2026-07-01T07:00',
    ]);
  });
});
