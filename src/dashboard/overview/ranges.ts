import { useSyncExternalStore } from 'react';
import { type StatisticsBucket } from '../graphql/enums.generated.js';
import { serviceNow } from '../graphql/service-clock.js';
import { useUrlValue } from '../ui/use-url-value.js';

/** A period up to now that the overview shows. */
export interface Range {
  /** In the address, as `?range=`. */
  value: string;
  label: string;
  /** Goes on from “in”. */
  inWords: string;
  bucket: StatisticsBucket;
  /** The number of buckets, including the current one. */
  count: number;
  /** What the list of runs calls it in its address; it has no word for the longest. */
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

/** The first moment of the first bucket, on the reader's clock. */
function beginOf({ bucket, count }: Range, now: Date): Date {
  if (bucket === 'DAY') return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1));
  const hour = new Date(now);
  hour.setMinutes(0, 0, 0);
  return new Date(hour.getTime() - (count - 1) * 3_600_000);
}

/** The reader's time zone by its IANA name; UTC where the browser doesn't know it. */
export function timeZone(): string {
  const { timeZone: name } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return name === undefined || name === 'Etc/Unknown' ? 'UTC' : name;
}

function everyHalfMinute(tell: () => void): () => void {
  const timer = setInterval(tell, 30_000);
  return () => clearInterval(timer);
}
