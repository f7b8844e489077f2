import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait for what never comes. Says nothing of speed, and is below jest's `testTimeout`, so that the condition is named. */
const PATIENCE_MS = 120_000;

/** Resolves as soon as `holds` does; for what happens with no promise to await. @throws Error when it never does. */
export async function until(holds: () => unknown): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; !(await holds());) {
    if (performance.now() > deadline) throw new Error(`Never came true: ${holds.toString()}`);
    await sleep(20);
  }
}
