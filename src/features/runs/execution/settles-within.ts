import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work that never rejects. @returns false if it takes longer than a number of milliseconds. */
export async function settlesWithin(work: Promise<void>, withinMs: number): Promise<boolean> {
  const late = new AbortController();
  const over = await Promise.race([
    work.then(() => true),
    sleep(withinMs, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  return over;
}
