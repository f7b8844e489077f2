/**
 * The time of a change of a row whose last change was at `last`: now, but strictly later than `last`, in milliseconds,
 * even if a clock was set back or that of another process is ahead. So these times order the changes of a row.
 */
export function changeTime(now: Date, last: Date): Date {
  return new Date(Math.max(now.getTime(), last.getTime() + 1));
}

/** The same in SQL, of SQL expressions. If `last` is null, now. */
export function changeTimeSql(now: string, last: string): string {
  return `greatest(${now}::timestamptz, ${last} + interval '1 ms')`;
}
