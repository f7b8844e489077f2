import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Works on items as they come. `take` returns those that may begin now, and none twice. It is called again whenever an
 * item ends and every `lookMs` milliseconds, so that a slow item delays no others. Ends when it returns none while no
 * item is under way. @throws the first failure, at the end.
 */
export async function steadily<T>(
  take: () => Promise<readonly T[]>,
  work: (item: T) => Promise<unknown>,
  lookMs: number,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const fail = (error: unknown): [] => {
    failures.push(error);
    return [];
  };
  for (;;) {
    for (const item of await take().catch(fail)) {
      const done = work(item)
        .catch(fail)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    }
    if (underWay.size === 0) break;
    const ended = new AbortController();
    const look = sleep(lookMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
    await Promise.race([...underWay, look]);
    ended.abort();
  }
  if (failures.length > 0) throw failures[0];
}
