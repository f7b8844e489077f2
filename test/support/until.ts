import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves as soon as `holds` does; for what happens without anybody waiting for it. @throws Error after `withinMs`. */
export async function until(holds: () => unknown, withinMs = 10_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await holds());) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${holds.toString()}`);
    await sleep(20);
  }
}
