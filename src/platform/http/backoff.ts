/** Attempts at a step, the first one included. */
export const MAX_ATTEMPTS = 5;

const FIRST_MS = 2_000;
const FACTOR = 4;

/**
 * The time of the next attempt after `attempts` attempts: 2 s, 8 s, 32 s or 128 s later, never before `notBefore`
 * (`Retry-After`). Jitter of up to a fifth of the wait spreads retries that would otherwise coincide.
 */
export function nextAttemptAt(now: Date, attempts: number, notBefore: Date | undefined): Date {
  const wait = FIRST_MS * FACTOR ** (attempts - 1);
  const jitter = (wait * Math.random()) / 5;
  return new Date(Math.max(now.getTime() + wait, notBefore?.getTime() ?? 0) + jitter);
}

/** The longest time by which steps that wait for one connection are spread, in milliseconds. */
const MAX_SPREAD_MS = 30_000;

/**
 * A time at or after `until`, for one of perhaps many steps that wait for the same connection. The longer a step has
 * waited, the further it may be from the others: only one of them is the first.
 */
export function spread(now: Date, until: Date, waitedMs: number): Date {
  const most = (until.getTime() - now.getTime()) / 5 + waitedMs / 2;
  return new Date(until.getTime() + Math.random() * Math.min(Math.max(most, 0), MAX_SPREAD_MS));
}
