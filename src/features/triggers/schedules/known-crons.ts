import { RecentlyUsed } from '../../../platform/caches/recently-used.js';
import { calendarOf, type CronCalendar } from './cron-calendar.js';
import { type CronFields, parseFields } from './cron-fields.js';

/** What is computed once for an expression, without its time zone. */
export interface KnownCron {
  fields: CronFields;
  /**
   * Whether day and weekday must both match. Vixie cron: so it is if one of them starts with `*` (also `*\/2`); otherwise
   * either is enough.
   */
  bothDays: boolean;
  calendar: CronCalendar;
  /** Undefined until they are needed. */
  words?: string;
}

/** The number of expressions that the process remembers, of 1,000 characters at most. */
export const KNOWN_CRONS = 1_000;

const known = new RecentlyUsed<KnownCron>(KNOWN_CRONS);

/** Parses an expression, or finds it among those that were used last. @throws CronError if a field is invalid. */
export function knownCron(expression: string): KnownCron {
  return known.get(expression, () => {
    const fields = parseFields(expression);
    const bothDays = fields.day.star || fields.weekday.star;
    return { fields, bothDays, calendar: calendarOf(fields, bothDays) };
  });
}
