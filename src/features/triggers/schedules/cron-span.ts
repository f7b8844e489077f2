import { type Cron, nextFire, nextMatch } from './cron.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The last firing up to a moment, that included; `first` is any earlier one. Takes about 20 looks for a year. */
export function lastFireUntil(cron: Cron, first: Date, until: Date): Date {
  let last = first.getTime();
  // No firing lies between this and `until`.
  let quiet = until.getTime();
  while (quiet - last >= MINUTE) {
    const middle = Math.floor((last + quiet) / 2);
    const next = nextFire(cron, new Date(middle)).getTime();
    if (next <= until.getTime()) last = next;
    else quiet = middle;
  }
  return new Date(last);
}

/** How many firings there are from one to another, these two included. Days and hours without surprise count as a whole. */
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

/** Firings are on whole minutes. */
function endsBy(spanEnd: number | undefined, end: number): spanEnd is number {
  return spanEnd !== undefined && spanEnd - MINUTE <= end;
}

/** The end of the local day or hour whose first match is `at`; undefined when it isn't, or the clocks are moved in it. */
function wholeSpanEnd(cron: Cron, at: number, length: number): number | undefined {
  const localAt = (instant: number) => cron.zone?.localAt(instant) ?? instant;
  const local = localAt(at);
  const into = local % length;
  const end = at - into + length;
  const isEven = localAt(at - into) === local - into && localAt(end) === local - into + length;
  return isEven && nextMatch(cron, local - into - 1) === local ? end : undefined;
}
