/** How often a step is tried in all. */
export const MAX_ATTEMPTS = 5;

const FIRST_MS = 2_000;
const FACTOR = 4;

/**
 * When a step is tried again after so many attempts: 2 s, 8 s, 32 s, 128 s, each up to a fifth more. Not before the
 * moment that was asked for; somewhat later, so that all who were asked don't come back at once.
 */
export function nextAttemptAt(now: Date, attempts: number, notBefore: Date | undefined): Date {
  const wait = FIRST_MS * FACTOR ** (attempts - 1);
  const jitter = (wait * Math.random()) / 5;
  return new Date(Math.max(now.getTime() + wait, notBefore?.getTime() ?? 0) + jitter);
}
