import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../errors.js';

const RETRY_MS = 500;

/** Reads for a stream: repeats the read while the database is away, until the stream has ended. */
export async function readPatiently<T>(read: () => Promise<T>, hasEnded: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (hasEnded() || !isDatabaseAway(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
}

/**
 * Repeats `work` while the database is away or gives no turn, for `patienceMs`. An attempt that failed may have been
 * committed, so `work` must find what an earlier one has done; `attempt` counts from 1. @throws the last error.
 */
export async function workPatiently<T>(work: (attempt: number) => Promise<T>, patienceMs: number): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() + RETRY_MS > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
