import { AppError } from './errors.js';

/** How many answers (`?wait=`) one key may have held back at a time, in this process. */
export const WAITS_PER_KEY = 100;

/** Counts who waits, whatever for. */
export class Waits {
  private readonly counts = new Map<string, number>();

  /** Runs what waits. @throws AppError `rate_limited` when the key has no place left. */
  async hold<T>(keyId: string, work: () => Promise<T>): Promise<T> {
    const count = this.counts.get(keyId) ?? 0;
    if (count >= WAITS_PER_KEY) {
      const message = `A key may wait for at most ${WAITS_PER_KEY} answers at a time.`;
      throw new AppError('rate_limited', message, { retryAfter: 1 });
    }
    this.counts.set(keyId, count + 1);
    try {
      return await work();
    } finally {
      const rest = this.counts.get(keyId)! - 1;
      if (rest === 0) this.counts.delete(keyId);
      else this.counts.set(keyId, rest);
    }
  }
}
