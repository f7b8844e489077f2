import { type Statistics } from '../use-run-statistics.js';

/** One hour or day of the chart. */
export type Bucket = Statistics['buckets'][number];

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options);
const hour = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = format({ weekday: 'short' });
const day = format({ month: 'short', day: 'numeric' });
const whole = format({ weekday: 'long', month: 'short', day: 'numeric' });
const HOUR_AND_A_BIT = 3_700_000;

/** Whether the buckets of the chart are hours. */
export function isHour({ from, to }: Bucket): boolean {
  return new Date(to).getTime() - new Date(from).getTime() < HOUR_AND_A_BIT;
}

/** The full label of a bucket in the user's time zone: “Friday, Nov 20, 14:00–15:00”, “Friday, Nov 20”. */
export function bucketInWords(bucket: Bucket): string {
  const from = new Date(bucket.from);
  if (!isHour(bucket)) return whole.format(from);
  return `${whole.format(from)}, ${hour.format(from)}–${hour.format(new Date(bucket.to))}`;
}

/** The label under a bar: `14:00`, `Fri 20` or, with many bars, `Nov 20`. */
export function axisLabel(bucket: Bucket, buckets: number): string {
  const from = new Date(bucket.from);
  if (isHour(bucket)) return hour.format(from);
  return buckets <= 10 ? `${weekday.format(from)} ${from.getDate()}` : day.format(from);
}
