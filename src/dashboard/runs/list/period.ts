const HOUR = 3_600_000;

/** A period for filtering runs; both ends are exclusive, and an undefined end is open. */
export interface Period {
  createdAfter?: string;
  createdBefore?: string;
}

/** The choices of the filter: value in the URL, label, and start time, in the user's time zone. */
export const PERIODS: readonly { value: string; label: string; at: (now: Date) => Period }[] = [
  { value: 'hour', label: 'Last hour', at: (now) => ({ createdAfter: before(now, HOUR) }) },
  { value: 'day', label: 'Last 24 hours', at: (now) => ({ createdAfter: before(now, 24 * HOUR) }) },
  { value: 'today', label: 'Today', at: (now) => ({ createdAfter: midnight(now, 0) }) },
  {
    value: 'yesterday',
    label: 'Yesterday',
    at: (now) => ({ createdAfter: midnight(now, 1), createdBefore: midnight(now, 0) }),
  },
  { value: 'week', label: 'Last 7 days', at: (now) => ({ createdAfter: before(now, 7 * 24 * HOUR) }) },
  { value: 'older', label: 'Before the last 7 days', at: (now) => ({ createdBefore: before(now, 7 * 24 * HOUR) }) },
];

/** The start time of a value in the URL; undefined (all times) for an unknown value. */
export function periodOf(word: string, now: Date): Period {
  return PERIODS.find(({ value }) => value === word)?.at(now) ?? {};
}

function before(now: Date, milliseconds: number): string {
  return new Date(now.getTime() - milliseconds).toISOString();
}

/** A millisecond before the day began: the bound is exclusive, and the first millisecond of the day counts. */
function midnight(now: Date, daysAgo: number): string {
  return new Date(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime() - 1).toISOString();
}
