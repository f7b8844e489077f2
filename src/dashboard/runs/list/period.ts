const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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

/** The choice of a period with two ends of its own. */
export const CUSTOM = 'custom';

/** The ends of a custom period as they are in the URL: ISO 8601 to the minute, or empty for an open end. */
export interface Ends {
  from: string;
  to: string;
}

/** The period of a value in the URL; all times for an unknown value. The minutes of `ends` belong to a custom one. */
export function periodOf(word: string, now: Date, { from, to }: Ends): Period {
  if (word !== CUSTOM) return PERIODS.find(({ value }) => value === word)?.at(now) ?? {};
  return {
    ...(isTime(from) && { createdAfter: new Date(Date.parse(from) - 1).toISOString() }),
    ...(isTime(to) && { createdBefore: new Date(Date.parse(to) + MINUTE).toISOString() }),
  };
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function before(now: Date, milliseconds: number): string {
  return new Date(now.getTime() - milliseconds).toISOString();
}

/** A millisecond before the day began: the bound is exclusive, and the first millisecond of the day counts. */
function midnight(now: Date, daysAgo: number): string {
  return new Date(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime() - 1).toISOString();
}
