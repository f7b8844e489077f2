import { useSyncExternalStore } from 'react';
import { type StatisticsBucket } from '../graphql/enums.generated.js';
import { serviceNow } from '../graphql/service-clock.js';
import { useUrlValue } from '../ui/tables/use-url-value.js';

/** A period of the overview; it ends now. */
export interface Range {
  /** The value of `?range=` in the URL. */
  value: string;
  label: string;
  /** Text after “in”. */
  inWords: string;
  bucket: StatisticsBucket;
  /** The number of buckets, including the current one. */
  count: number;
  /** The value in the URL of the list of runs; the longest range has none. */
  inRuns: string | undefined;
}

/** From the shortest to the longest. */
export const RANGES: readonly [Range, ...Range[]] = [
  { value: '24h', label: '24 hours', inWords: 'the last 24 hours', bucket: 'HOUR', count: 24, inRuns: 'day' },
  { value: '7d', label: '7 days', inWords: 'the last 7 days', bucket: 'DAY', count: 7, inRuns: 'week' },
  { value: '30d', label: '30 days', inWords: 'the last 30 days', bucket: 'DAY', count: 30, inRuns: undefined },
];

/** The range in the URL; the shortest by default. */
export function useRange(): Range {
  const [chosen] = useUrlValue('range');
  return RANGES.find(({ value }) => value === chosen) ?? RANGES[0];
}

/** The start of a range in the user's time zone; it advances with each full hour or day. */
export function useBeginOf(range: Range): string {
  return useSyncExternalStore(everyHalfMinute, () => beginOf(range, new Date(serviceNow())).toISOString());
}

/** The start of the first bucket, in the user's time zone. */
function beginOf({ bucket, count }: Range, now: Date): Date {
  if (bucket === 'DAY') return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1));
  const hour = new Date(now);
  hour.setMinutes(0, 0, 0);
  return new Date(hour.getTime() - (count - 1) * 3_600_000);
}

/** The IANA name of the user's time zone; UTC if the browser does not know it. */
export function timeZone(): string {
  const { timeZone: name } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return name === undefined || name === 'Etc/Unknown' ? 'UTC' : name;
}

function everyHalfMinute(tell: () => void): () => void {
  const timer = setInterval(tell, 30_000);
  return () => clearInterval(timer);
}
