const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay before each attempt, counted from the previous one (Standard Webhooks, "Deliverability"). */
export const DELAYS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * The time of the next attempt, with jitter of up to a tenth and not before `notBefore`; undefined after the last
 * attempt.
 */
export function nextAttempt(now: Date, attempts: number, notBefore: Date | undefined): Date | undefined {
  const delay = DELAYS_MS[attempts];
  if (delay === undefined) return undefined;
  const at = now.getTime() + delay * (1 + Math.random() / 10);
  return new Date(Math.max(at, notBefore?.getTime() ?? 0));
}
