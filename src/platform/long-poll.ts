import { type Listeners } from './admission/listeners.js';
import { type Caller, callerId } from './context.js';
import { AppError } from './errors.js';

/** How many answers (`?wait=`) one key may have held back at a time, in this process. */
const WAITS_PER_KEY = 100;

/** Counts who waits, whatever for. */
export class LongPolls {
  private readonly counts = new Map<string, number>();

  constructor(private readonly listeners: Listeners) {}

  /** Runs what waits. @throws AppError `rate_limited` when the key, or its account, has no place left. */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const keyId = callerId(caller);
    const count = this.counts.get(keyId) ?? 0;
    if (count >= WAITS_PER_KEY) {
      const message = `A key may wait for at most ${WAITS_PER_KEY} answers at a time.`;
      throw new AppError('rate_limited', message, { retryAfter: 1 });
    }
    const release = this.listeners.take(caller.accountId);
    this.counts.set(keyId, count + 1);
    try {
      return await work();
    } finally {
      release();
      const rest = this.counts.get(keyId)! - 1;
      if (rest === 0) this.counts.delete(keyId);
      else this.counts.set(keyId, rest);
    }
  }
}

/** What is waited for, and how to hear that it may be there. */
export interface LongPoll<T> {
  /** Calls `ring` from now on when something changed. @returns the function that detaches. */
  listen: (raise: () => void) => (() => void) | Promise<() => void>;
  read: () => Promise<T>;
  isThere: (value: T) => boolean;
  milliseconds: number;
  /** Ends the wait: the client has gone. */
  signal: AbortSignal;
}

/** The value as soon as it is there, or as it is when the time is over. Holds no database connection meanwhile. */
export async function longPoll<T>({ listen, read, isThere, milliseconds, signal }: LongPoll<T>): Promise<T> {
  const change = new Signal();
  const detach = await listen(() => change.raise());
  const stop = (): void => change.stop();
  const timer = setTimeout(stop, milliseconds);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    for (;;) {
      // Read once more now that the listener is attached: what commits from here on rings.
      const value = await read();
      if (isThere(value) || !(await change.next())) return value;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    detach();
  }
}

/** Wakes one waiter, also when it rang before the waiter came. What rang before it was stopped is still heard. */
class Signal {
  private raised: PromiseWithResolvers<boolean> = Promise.withResolvers();
  private stopped = false;

  raise(): void {
    this.raised.resolve(true);
  }

  stop(): void {
    this.stopped = true;
    this.raised.resolve(false);
  }

  /** Resolves at the next raise: true, or false when there will be none. */
  async next(): Promise<boolean> {
    const rang = await this.raised.promise;
    this.raised = Promise.withResolvers();
    if (this.stopped) this.raised.resolve(false);
    return rang;
  }
}
