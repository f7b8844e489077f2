import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The timeout of a wait. It is no measure of speed, and is below jest's `testTimeout`, so that the condition is named.
 */
const PATIENCE_MS = 120_000;

/** Resolves as soon as `holds` is true; for events without a promise. @throws Error when it never is. */
export async function until(holds: () => unknown): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; !(await holds());) {
    if (performance.now() > deadline) throw new Error(`Never came true: ${holds.toString()}`);
    await sleep(20);
  }
}
