/** `Retry-After` is honoured up to a day. */
const MAX_WAIT_MS = 86_400_000;

/** The longest that a whole connection waits, in milliseconds. */
export const MAX_BLOCK_MS = 3_600_000;
/** How long it waits after a 429 that names no time. */
const DEFAULT_BLOCK_MS = 1_000;

/** The three forms of an HTTP-date (RFC 9110, 5.6.7). `Date.parse` alone would accept almost any text with a number. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * The time of `Retry-After` (RFC 9110, 10.2.3), given in seconds or as a date; undefined when it is absent or invalid.
 */
export function retryAfter(header: string | undefined, now: Date): Date | undefined {
  const at = timeOf(header?.trim() ?? '', now);
  return Number.isNaN(at) ? undefined : new Date(Math.min(at, now.getTime() + MAX_WAIT_MS));
}

/**
 * How long a server that responded in this way wants no further requests, in milliseconds; undefined if it does not say
 * so. A 429 says so without `Retry-After`, too; a 503 only with a time in the future.
 */
export function blockMs(status: number, header: string | undefined, now: Date): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const ms = (retryAfter(header, now)?.getTime() ?? 0) - now.getTime();
  if (ms > 0) return Math.min(ms, MAX_BLOCK_MS);
  return status === 429 ? DEFAULT_BLOCK_MS : undefined;
}

function timeOf(header: string, now: Date): number {
  if (/^\d+$/.test(header)) return now.getTime() + Number(header) * 1_000;
  if (!HTTP_DATE.test(header)) return NaN;
  return Date.parse(header.endsWith('GMT') ? header : `${header} GMT`);
}
