import { serviceNow } from '../../graphql/service-clock.js';

/** The parts of a date beside month and day, which each has: `Fri, Nov 27, 2026, 09:00:00`. */
interface Parts {
  weekday?: boolean;
  year?: boolean;
  clock?: 'minute' | 'second';
  /** Names the time zone: for a time that is shown on hover. */
  zone?: boolean;
  /** The user's time zone without it. @throws RangeError for one that the browser does not know. */
  timeZone?: string;
}

/** The one format of dates in the dashboard; `parts` says how much of it. */
export function dateFormat({ weekday, year, clock, zone, timeZone }: Parts): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    ...(weekday === true && { weekday: 'short' }),
    ...(year === true && { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    ...(clock !== undefined && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    ...(clock === 'second' && { second: '2-digit' }),
    ...(zone === true && { timeZoneName: 'short' }),
    timeZone,
  });
}

/** On hover: to the second, with the time zone. */
export const onHover = dateFormat({ weekday: true, year: true, clock: 'second', zone: true });

/** A time to the minute, with the year if it is not the current one: `Nov 27, 09:00`, `Fri, Nov 27, 09:00`. */
export function minuteOf(at: Date, parts: Pick<Parts, 'weekday' | 'timeZone' | 'zone'> = {}): string {
  const year = at.getUTCFullYear() !== new Date(serviceNow()).getUTCFullYear();
  return dateFormat({ ...parts, year, clock: 'minute' }).format(at);
}
