import { type CronCalendar } from './cron-calendar.js';
import { CronError, quote, type CronFields } from './cron-fields.js';
import { knownCron } from './known-crons.js';
import { isTimeZone, timeZone, type TimeZone } from '../../../platform/time-zone.js';

export { CronError, isTimeZone };

/** A valid schedule, ready for `nextFire`. */
export interface Cron {
  expression: string;
  /** An IANA name. */
  timezone: string;
  calendar: CronCalendar;
  /** Undefined for UTC. */
  zone: TimeZone | undefined;
  /** Vixie cron's wildcard job: minute or hour starts with `*`, so it keeps its interval when the clocks change. */
  paced: boolean;
  /** The number of matching minutes in a matching hour. */
  perHour: number;
  /** The number of matching minutes in a matching day. */
  perDay: number;
}

/**
 * Parses five fields (minute hour day month weekday) by the rules of Vixie cron 4.1, in the local time of an IANA zone.
 * @throws CronError if a field is invalid, the zone is unknown, or no date can ever match.
 */
export function parseCron(expression: string, timezone = 'UTC'): Cron {
  const { fields, bothDays, calendar } = knownCron(expression);
  if (!isTimeZone(timezone)) {
    throw new CronError(
      `Unknown time zone ${quote(timezone.slice(0, 100))}: expected an IANA name such as "Europe/Berlin".`,
    );
  }
  if (bothDays && !someMonthHasTheDay(fields)) {
    throw new CronError(`Cron ${quote(expression)} never fires: no month that it names has such a day.`);
  }
  return {
    expression,
    timezone,
    calendar,
    zone: /^(?:etc\/)?(?:utc|gmt)$/i.test(timezone) ? undefined : timeZone(timezone),
    paced: fields.minute.star || fields.hour.star,
    perHour: fields.minute.values.length,
    perDay: fields.minute.values.length * fields.hour.values.length,
  };
}

/**
 * The first firing strictly after an instant, on a whole minute. When the clocks change, it does as Vixie cron does:
 * - a schedule whose minute and hour don't start with `*` names times of day. Times in a gap fire once at its end, and
 *   repeated times fire only the first time;
 * - any other schedule names an interval (every 15 minutes, at half past each hour) and keeps it: times in a gap don't
 *   fire, and repeated times fire both times, so that no hour passes without a firing.
 */
export function nextFire(cron: Cron, after: Date): Date {
  const { zone } = cron;
  const from = after.getTime();
  if (zone === undefined) return new Date(nextMatch(cron, from));
  return new Date(cron.paced ? nextOfPace(cron, zone, from) : nextTimeOfDay(cron, zone, from));
}

function nextTimeOfDay(cron: Cron, zone: TimeZone, from: number): number {
  let local = zone.localAt(from);
  for (;;) {
    local = nextMatch(cron, local);
    const instant = zone.instantsAt(local)[0] ?? zone.endOfGap(local);
    // `instant` is not after `from` if `from` is in the second pass of a repeated hour.
    if (instant > from) return instant;
  }
}

function nextOfPace(cron: Cron, zone: TimeZone, from: number): number {
  let local = zone.localAt(from);
  let next: number | undefined;
  while (next === undefined) {
    local = nextMatch(cron, local);
    next = zone.instantsAt(local).find((instant) => instant > from);
  }
  const putBack = zone.putBackSoonAfter(from);
  if (putBack === undefined || next < putBack) return next;
  // The clocks go back before the next match: the repeated hour may contain an earlier one.
  const repeated = nextMatch(cron, zone.localAt(putBack) - 1);
  return zone.instantsAt(repeated).find((instant) => instant >= putBack) ?? next;
}

/** The first match after `local` on a clock without gaps. Both are wall-clock times as if in UTC, in milliseconds. */
export function nextMatch({ calendar }: Cron, local: number): number {
  return calendar.next(local);
}

const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function someMonthHasTheDay({ day, month }: CronFields): boolean {
  const [first = 1] = day.values;
  return month.values.some((value) => first <= (DAYS_OF_MONTHS[value - 1] ?? 0));
}
