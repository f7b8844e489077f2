const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * A time zone. Local times are "wall clock as UTC": the milliseconds at which a clock in UTC would show the same date
 * and time.
 */
export interface TimeZone {
  /** The local time at an instant. */
  localAt(instant: number): number;
  /** The instants with that local time, ascending: none inside a gap, two where an hour repeats. */
  instantsAt(local: number): number[];
  /** The end of the gap that contains that local time, as an instant. */
  endOfGap(local: number): number;
  /** The instant within the next day at which the clocks are set back; undefined when they are not. */
  putBackSoonAfter(instant: number): number | undefined;
}

// Keyed in lower case, since Intl ignores case: so the map cannot outgrow the list of zones.
const zones = new Map<string, TimeZone>();

/** True for a name of the IANA time zone database known to this runtime; offsets such as `+02:00` are refused. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+\-/]*$/.test(name)) return false;
  try {
    timeZone(name);
    return true;
  } catch {
    return false;
  }
}

/** The time zone of an IANA name. @throws RangeError when Intl does not know it. */
export function timeZone(name: string): TimeZone {
  const key = name.toLowerCase();
  const zone = zones.get(key) ?? makeTimeZone(name);
  zones.set(key, zone);
  return zone;
}

function makeTimeZone(name: string): TimeZone {
  const localAt = localClock(name);
  const offsetAt = (instant: number) => localAt(instant) - instant;
  const changeBetween = (before: number, after: number): number => {
    const offset = offsetAt(before);
    let low = Math.floor(before / MINUTE);
    let high = Math.ceil(after / MINUTE);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle * MINUTE) === offset) low = middle;
      else high = middle;
    }
    return high * MINUTE;
  };
  return {
    localAt,
    instantsAt: (local) => {
      const candidates = new Set([local - offsetAt(local - DAY), local - offsetAt(local + DAY)]);
      return [...candidates].filter((instant) => localAt(instant) === local).sort((a, b) => a - b);
    },
    endOfGap: (local) => changeBetween(local - offsetAt(local + DAY), local - offsetAt(local - DAY)),
    putBackSoonAfter: (instant) =>
      offsetAt(instant + DAY) < offsetAt(instant) ? changeBetween(instant, instant + DAY) : undefined,
  };
}

function localClock(name: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(instant)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second, new Date(instant).getUTCMilliseconds());
  };
}
