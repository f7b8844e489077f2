/** Waits that are asked for are honoured up to a day. */
const MAX_WAIT_MS = 86_400_000;

/** The moment that `Retry-After` (RFC 9110, 10.2.3) names, in seconds or as a date; undefined where it says nothing. */
export function retryAfter(header: string | undefined, now: Date): Date | undefined {
  if (header === undefined) return undefined;
  const at = /^\d+$/.test(header.trim()) ? now.getTime() + Number(header) * 1_000 : Date.parse(header);
  return Number.isNaN(at) ? undefined : new Date(Math.min(at, now.getTime() + MAX_WAIT_MS));
}
