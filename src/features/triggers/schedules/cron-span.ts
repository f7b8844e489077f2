import { type Cron, nextFire, nextMatch } from './cron.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The last firing at or before `until`, by binary search from `first`, any earlier one. A year takes about 20 steps.
 */
export function lastFireUntil(cron: Cron, first: Date, until: Date): Date {
  let last = first.getTime();
  // There is no firing between this and `until`.
  let quiet = until.getTime();
  while (quiet - last >= MINUTE) {
    const middle = Math.floor((last + quiet) / 2);
    const next = nextFire(cron, new Date(middle)).getTime();
    if (next <= until.getTime()) last = next;
    else quiet = middle;
  }
  return new Date(last);
}

/**
 * The number of firings from `first` to `last`, inclusive. Days and hours without a clock change are counted as a
 * whole.
 */
export function countFires(cron: Cron, first: Date, last: Date): number {
  const end = last.getTime();
  let count = 0;
  for (let at = first.getTime(); at <= end;) {
    const day = wholeSpanEnd(cron, at, DAY);
    const hour = wholeSpanEnd(cron, at, HOUR);
    const [fires, over] = endsBy(day, end)
      ? [cron.perDay, day - 1]
      : endsBy(hour, end)
        ? [cron.perHour, hour - 1]
        : [1, at];
    count += fires;
    at = nextFire(cron, new Date(over)).getTime();
  }
  return count;
}

/** Whether all firings of a span are at or before `end`; firings are on whole minutes. */
function endsBy(spanEnd: number | undefined, end: number): spanEnd is number {
  return spanEnd !== undefined && spanEnd - MINUTE <= end;
}

/**
 * The end of the local day or hour whose first match is `at`; undefined if `at` is not the first, or the clocks change
 * in it.
 */
function wholeSpanEnd(cron: Cron, at: number, length: number): number | undefined {
  const localAt = (instant: number) => cron.zone?.localAt(instant) ?? instant;
  const local = localAt(at);
  const into = local % length;
  const end = at - into + length;
  const isEven = localAt(at - into) === local - into && localAt(end) === local - into + length;
  return isEven && nextMatch(cron, local - into - 1) === local ? end : undefined;
}
