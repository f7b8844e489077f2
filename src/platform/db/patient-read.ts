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
