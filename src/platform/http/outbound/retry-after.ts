/** `Retry-After` is honoured up to a day. */
const MAX_WAIT_MS = 86_400_000;

/**
 * The time of `Retry-After` (RFC 9110, 10.2.3), given in seconds or as a date; undefined when it is absent or invalid.
 */
export function retryAfter(header: string | undefined, now: Date): Date | undefined {
  if (header === undefined) return undefined;
  const at = /^\d+$/.test(header.trim()) ? now.getTime() + Number(header) * 1_000 : Date.parse(header);
  return Number.isNaN(at) ? undefined : new Date(Math.min(at, now.getTime() + MAX_WAIT_MS));
}
