import { useSyncExternalStore } from 'react';
import { type StatisticsBucket } from '../graphql/enums.generated.js';
import { serviceNow } from '../graphql/service-clock.js';

/** A period of statistics that ends now. */
export interface Period {
  bucket: StatisticsBucket;
  /** The number of buckets, including the current one. */
  count: number;
}

/** The start of a period in the user's time zone; it advances with each full hour or day. */
export function useBeginOf(period: Period): string {
  return useSyncExternalStore(everyHalfMinute, () => beginOf(period, new Date(serviceNow())).toISOString());
}

/** The start of the first bucket, in the user's time zone. */
function beginOf({ bucket, count }: Period, now: Date): Date {
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
