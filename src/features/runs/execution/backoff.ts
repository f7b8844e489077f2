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
