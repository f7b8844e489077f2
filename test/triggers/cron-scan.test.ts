import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextFire, parseCron } from '../../src/features/triggers/schedules/cron.js';

/** A field together with its values, so that the test needs no parser. */
interface Written {
  text: string;
  values: Set<number>;
}

function range(from: number, to: number, step = 1): number[] {
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function part(low: number, high: number, names: string[] = []): fc.Arbitrary<[string, number[]]> {
  const number = fc.integer({ min: low, max: high });
  const spell = (value: number, named: boolean) => (named && names[value - low]) || String(value);
  const step = fc.integer({ min: 1, max: names.length === 7 ? 7 : high - low + 1 });
  return fc.oneof(
    fc.tuple(number, fc.boolean()).map(([n, named]): [string, number[]] => [spell(n, named), [n]]),
    fc.tuple(number, number).map(([a, b]): [string, number[]] => {
      const [from, to] = a < b ? [a, b] : [b, a];
      return [`${from}-${to}`, range(from, to)];
    }),
    fc.tuple(number, number, step).map(([a, b, by]): [string, number[]] => {
      const [from, to] = a < b ? [a, b] : [b, a];
      return [`${from}-${to}/${by}`, range(from, to, by)];
    }),
    step.map((by): [string, number[]] => [`*/${by}`, range(low, high, by)]),
  );
}

function field(low: number, high: number, names?: string[]): fc.Arbitrary<Written> {
  const list = fc.array(part(low, high, names), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({ text: '*', values: new Set(range(low, high)) }) },
    {
      weight: 2,
      arbitrary: list.map((parts) => ({
        text: parts.map(([text]) => text).join(','),
        values: new Set(parts.flatMap(([, values]) => values)),
      })),
    },
  );
}

const WEEKDAYS = ['sun', 'Mon', 'TUE', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'Feb', 'MAR', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const written = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12, MONTHS), field(0, 7, WEEKDAYS));
type Written5 = [Written, Written, Written, Written, Written];

const textOf = (fields: Written5) => fields.map(({ text }) => text).join(' ');

function matchesDay([, , day, month, weekday]: Written5, date: Date): boolean {
  if (!month.values.has(date.getUTCMonth() + 1)) return false;
  const dayMatches = day.values.has(date.getUTCDate());
  const weekdayMatches = weekday.values.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekday.values.has(7));
  return day.text.startsWith('*') || weekday.text.startsWith('*')
    ? dayMatches && weekdayMatches
    : dayMatches || weekdayMatches;
}

function matches(fields: Written5, local: number): boolean {
  const date = new Date(local);
  const [minute, hour] = fields;
  return minute.values.has(date.getUTCMinutes()) && hour.values.has(date.getUTCHours()) && matchesDay(fields, date);
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function scan(fields: Written5, after: number, until: number): number | undefined {
  for (let at = Math.floor(after / MINUTE) * MINUTE + MINUTE; at <= until; at += MINUTE) {
    // Whole days that can't match are passed over, or the scan of 400 of them would take a second.
    if (at % DAY === 0 && !matchesDay(fields, new Date(at))) at += DAY - MINUTE;
    else if (matches(fields, at)) return at;
  }
  return undefined;
}

function neverFires([, , day, month, weekday]: Written5): boolean {
  const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  if (!day.text.startsWith('*') && !weekday.text.startsWith('*')) return false;
  return ![...month.values].some((m) => [...day.values].some((d) => d <= (longest[m - 1] ?? 0)));
}

describe('nextFire beside a scan of every minute', () => {
  it('agrees in UTC for any expression, up to 400 days on', () => {
    const moment = fc.date({
      min: new Date('2020-01-01T00:00Z'),
      max: new Date('2060-01-01T00:00Z'),
      noInvalidDate: true,
    });
    let within = 0;
    fc.assert(
      fc.property(written, moment, (fields, after) => {
        if (neverFires(fields)) {
          expect(() => parseCron(textOf(fields))).toThrow('never fires');
          return;
        }
        const until = after.getTime() + 400 * DAY;
        const found = nextFire(parseCron(textOf(fields)), after).getTime();
        const expected = scan(fields, after.getTime(), until);
        if (expected === undefined) expect(found).toBeGreaterThan(until);
        else expect(new Date(found).toISOString()).toBe(new Date(expected).toISOString());
        if (expected !== undefined) within += 1;
      }),
      { numRuns: 500 },
    );
    expect(within).toBeGreaterThan(400);
  });

  it('agrees with cron’s own way, minute by minute, around every kind of clock change', () => {
    const windows = [
      window('Europe/Berlin', '2026-03-28T00:00Z'),
      window('Europe/Berlin', '2026-10-24T00:00Z'),
      window('America/New_York', '2026-03-07T00:00Z'),
      window('America/New_York', '2026-10-31T00:00Z'),
      window('Australia/Lord_Howe', '2026-04-03T12:00Z'),
      window('Australia/Lord_Howe', '2026-10-02T12:00Z'),
      window('America/Nuuk', '2026-03-28T00:00Z'),
    ];
    const anyDay = fc.tuple(field(0, 59), field(0, 23), fc.constant('* * *'));
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...windows), ([minute, hour, days], { zone, start, locals }) => {
        const all = { text: '*', values: new Set(range(0, 31)) };
        const expected = ticks([minute, hour, all, all, all], start, locals);
        const cron = parseCron(`${minute.text} ${hour.text} ${days}`, zone);
        const found: number[] = [];
        const end = start + locals.length * MINUTE;
        for (let at = nextFire(cron, new Date(start)); at.getTime() < end; at = nextFire(cron, at))
          found.push(at.getTime());
        expect(found).toEqual(expected);
        // From any moment, not only from a firing to the next: each minute of the day of the change.
        for (let index = 1440; index < 2160; index += 7) {
          const moment = start + index * MINUTE;
          const next = expected.find((at) => at > moment);
          if (next !== undefined) expect(nextFire(cron, new Date(moment)).getTime()).toBe(next);
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Three days of a zone: the local time of each minute from `start`. */
function window(zone: string, from: string): { zone: string; start: number; locals: number[] } {
  const start = Date.parse(from);
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const locals = range(0, 3 * 1440 - 1).map((n) =>
    Date.parse(`${format.format(start + n * MINUTE).replace(' ', 'T')}Z`),
  );
  return { zone, start, locals };
}

/**
 * Vixie's loop: a wildcard job looks at the clock; any other also makes up for a jump, and waits for the clock to catch
 * up.
 */
function ticks(fields: Written5, start: number, locals: number[]): number[] {
  const wild = fields[0].text.startsWith('*') || fields[1].text.startsWith('*');
  const fired: number[] = [];
  let reached = locals[0] ?? 0;
  for (const [index, local] of locals.entries()) {
    if (index === 0) continue;
    let due = wild && matches(fields, local);
    for (; !wild && reached < local; reached += MINUTE) due ||= matches(fields, reached + MINUTE);
    if (due) fired.push(start + index * MINUTE);
  }
  return fired;
}
