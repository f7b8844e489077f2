import { minuteOf } from '../../ui/values/date-words.js';

/** A time in a time zone: `Mon, Nov 23, 09:00`, with the year if it is not the current one. */
export function zonedTime(at: string, timeZone: string): string {
  const date = new Date(at);
  try {
    return minuteOf(date, { weekday: true, timeZone });
  } catch {
    // The service knows this zone, but the browser does not.
    return `${minuteOf(date, { weekday: true, timeZone: 'UTC' })} UTC`;
  }
}
