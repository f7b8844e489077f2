const FIRST_MS = 60_000;
const MAX_DELAY_MS = 4 * 3_600_000;
const GIVE_UP_MS = 3 * 86_400_000;

/**
 * When to try a mail again that could not be sent at `now`, its `attempts`th time; undefined when its three days are
 * over. About 1, 2, 4 … minutes, 4 hours at most, 25 % more or less by `jitter` (0 to 1); the last time at their end.
 */
export function nextAttempt(createdAt: Date, attempts: number, now: Date, jitter = Math.random()): Date | undefined {
  const end = createdAt.getTime() + GIVE_UP_MS;
  if (now.getTime() >= end) return undefined;
  const wait = Math.min(FIRST_MS * 2 ** (attempts - 1), MAX_DELAY_MS) * (0.75 + 0.5 * jitter);
  return new Date(Math.min(now.getTime() + wait, end));
}
