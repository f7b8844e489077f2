const FIRST_MS = 60_000;
const MAX_DELAY_MS = 4 * 3_600_000;
const GIVE_UP_MS = 3 * 86_400_000;

/**
 * The time of the next attempt for a mail whose `attempts`th attempt failed at `now`; undefined after three days. The
 * delay is about 1, 2, 4 … minutes, at most 4 hours, varied by ±25 % with `jitter` (0 to 1); the last attempt is at the
 * end of the three days.
 */
export function nextAttempt(createdAt: Date, attempts: number, now: Date, jitter = Math.random()): Date | undefined {
  const end = createdAt.getTime() + GIVE_UP_MS;
  if (now.getTime() >= end) return undefined;
  const wait = Math.min(FIRST_MS * 2 ** (attempts - 1), MAX_DELAY_MS) * (0.75 + 0.5 * jitter);
  return new Date(Math.min(now.getTime() + wait, end));
}
