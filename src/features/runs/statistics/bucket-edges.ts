import { type ErrorDetail, validationError } from '../../../platform/errors.js';
import { type GivenArguments } from '../../../platform/graphql/field-cost.js';
import { isTimeZone, timeZone, type TimeZone } from '../../../platform/time-zone.js';

/** The length of a bucket. */
export const StatisticsBucket = { HOUR: 'hour', DAY: 'day' } as const;
export type StatisticsBucket = (typeof StatisticsBucket)[keyof typeof StatisticsBucket];

/** More than a year of days, or two weeks of hours. */
const MAX_BUCKETS = 400;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const EARLIEST = new Date('1970-01-01T00:00:00Z');
const LATEST = new Date('3000-01-01T00:00:00Z');

/** A period and the length of its buckets. */
export interface CutTime {
  from: Date;
  to: Date;
  bucket: StatisticsBucket;
  timezone: string;
}

/**
 * The edges of the local hours or days that cover the period from `from` (inclusive) to `to` (exclusive), ascending:
 * one more than there are buckets. @throws AppError `validation_error`.
 */
export function bucketEdges({ from, to, bucket, timezone }: CutTime): Date[] {
  if (!isTimeZone(timezone)) throw fault('timezone', 'must be an IANA time zone such as "Europe/Berlin"');
  if (to <= from) throw fault('to', 'must be later than `from`');
  if (from < EARLIEST || to > LATEST) throw fault('from', 'must lie, like `to`, between the years 1970 and 3000');
  // Checked before creating them one by one; a day has at most 25 hours.
  const least = (to.getTime() - from.getTime()) / (bucket === 'hour' ? HOUR_MS : DAY_MS + HOUR_MS);
  if (least > MAX_BUCKETS) throw tooMany();
  const zone = timeZone(timezone);
  const edges = bucket === 'hour' ? hours(zone, from, to) : days(zone, from, to);
  if (edges.length > MAX_BUCKETS + 1) throw tooMany();
  return edges.map((edge) => new Date(edge));
}

/** About the number of buckets that unvalidated arguments ask for; the maximum for those that will be refused. */
export function bucketsOf({ from, to, bucket }: GivenArguments): number {
  const end = to === undefined || to === null ? Date.now() : Date.parse(String(to));
  const isHour = String(bucket).toLowerCase() === StatisticsBucket.HOUR;
  // The first and the last one may be cut.
  const count = Math.ceil((end - Date.parse(String(from))) / (isHour ? HOUR_MS : DAY_MS)) + 1;
  return count >= 1 && count <= MAX_BUCKETS ? count : MAX_BUCKETS;
}

/** Every bucket lasts one elapsed hour, also when the clocks change. */
function hours(zone: TimeZone, from: Date, to: Date): number[] {
  const first = from.getTime() - modulo(zone.localAt(from.getTime()), HOUR_MS);
  const count = Math.ceil((to.getTime() - first) / HOUR_MS);
  return Array.from({ length: count + 1 }, (_, index) => first + index * HOUR_MS);
}

/** Days begin at midnight, or at the end of the gap if the clocks skip midnight. */
function days(zone: TimeZone, from: Date, to: Date): number[] {
  const local = zone.localAt(from.getTime());
  const edges: number[] = [];
  for (let day = local - modulo(local, DAY_MS); ; day += DAY_MS) {
    const edge = zone.instantsAt(day)[0] ?? zone.endOfGap(day);
    // A day that the zone skipped at the date line has no length.
    if (edge !== edges.at(-1)) edges.push(edge);
    if (edge >= to.getTime()) return edges;
  }
}

/** Never negative, unlike `%`: local times may be before 1970. */
function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

function tooMany() {
  return fault('from', `asks for too many buckets: at most ${MAX_BUCKETS} are given`);
}

function fault(field: string, message: string) {
  return validationError({ field, message } satisfies ErrorDetail);
}
