import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time for resources to close on a busy machine. */
const PATIENCE_MS = 10_000;

/** The number of sockets, servers, timers, processes etc. that keep this process alive, by kind. */
export function openResources() {
  const counts = new Map();
  // Node opens them at their first use; as pipes they count from then on.
  void [process.stdin, process.stdout, process.stderr];
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Resolves once no more resources are open than before. @throws Error that names the open ones. */
export async function awaitClosed(before) {
  let left = leftOf(before);
  for (const end = performance.now() + PATIENCE_MS; left.length > 0 && performance.now() < end;) {
    await sleep(20);
    left = leftOf(before);
  }
  if (left.length > 0) throw new Error(`The test file leaves open: ${left.join(', ')}.`);
}

function leftOf(before) {
  return [...openResources()]
    .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)])
    .filter(([, more]) => more > 0)
    .map(([kind, more]) => `${more} ${kind}`);
}
