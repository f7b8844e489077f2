import { type CronFields } from './cron-fields.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** 29 February is on the same weekday after 40 years at the latest. No other day needs as long. */
const YEARS = 41;
/** The maximum number of months that the search for a day examines. */
export const MAX_MONTHS = YEARS * 12;

/** The matching minutes of a schedule on a clock without gaps, as wall-clock times as if in UTC, in milliseconds. */
export interface CronCalendar {
  /** The first match after `local`. @throws RangeError if none is found in `MAX_MONTHS` months. */
  next(local: number): number;
}

/** The calendar of an expression. `bothDays`: day and weekday must match; otherwise either is enough. */
export function calendarOf({ minute, hour, day, month, weekday }: CronFields, bothDays: boolean): CronCalendar {
  const firstTime = hour.values[0]! * 60 + minute.values[0]!;
  const dayBits = bitsOf(day.values.map((value) => value - 1));
  const months = new Set(month.values.map((value) => value - 1));
  // For each weekday with which a month can begin, the days of the month with a matching weekday.
  const weekdayBits = Array.from({ length: 7 }, (_, first) =>
    bitsOf(range(31).filter((index) => weekday.values.includes((first + index) % 7))),
  );

  /** The matching days of a month, as bits. */
  const daysOf = (year: number, monthIndex: number): number => {
    const first = Date.UTC(year, monthIndex, 1) / DAY;
    const length = Date.UTC(year, monthIndex + 1, 1) / DAY - first;
    const ofWeekdays = weekdayBits[weekdayOf(first)]!;
    const all = bothDays ? dayBits & ofWeekdays : dayBits | ofWeekdays;
    return length === 31 ? all : all & ((1 << length) - 1);
  };

  /** The first matching day at or after a day; both count from 1970. */
  const nextDay = (from: number): number => {
    const date = new Date(from * DAY);
    const start = date.getUTCFullYear() * 12 + date.getUTCMonth();
    let notBefore = date.getUTCDate() - 1;
    for (let index = start; index < start + MAX_MONTHS; index += 1) {
      const [year, monthIndex] = [Math.floor(index / 12), index % 12];
      const days = months.has(monthIndex) ? daysOf(year, monthIndex) & (-1 << notBefore) : 0;
      if (days !== 0) return Date.UTC(year, monthIndex, 1 + lowestBit(days)) / DAY;
      notBefore = 0;
    }
    throw new RangeError(`No day matches within ${YEARS} years.`);
  };

  /** The first matching time of day at or after a time of day, in minutes. */
  const nextTime = (from: number): number | undefined => {
    const fromHour = Math.floor(from / 60);
    const inHour = hour.values.includes(fromHour) ? minute.values.find((value) => value >= from % 60) : undefined;
    if (inHour !== undefined) return fromHour * 60 + inHour;
    const later = hour.values.find((value) => value > fromHour);
    return later === undefined ? undefined : later * 60 + minute.values[0]!;
  };

  return {
    next(local) {
      const from = Math.floor(local / MINUTE) + 1;
      const today = Math.floor((from * MINUTE) / DAY);
      const found = nextDay(today);
      if (found > today) return found * DAY + firstTime * MINUTE;
      const time = nextTime(from - (today * DAY) / MINUTE);
      return time === undefined ? nextDay(today + 1) * DAY + firstTime * MINUTE : today * DAY + time * MINUTE;
    },
  };
}

/** The weekday of a day that counts from 1970; Sunday is 0. */
function weekdayOf(day: number): number {
  return (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function bitsOf(indexes: readonly number[]): number {
  return indexes.reduce((bits, index) => bits | (1 << index), 0);
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
