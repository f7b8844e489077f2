import { type Listeners } from './admission/listeners.js';
import { Places } from './admission/places.js';
import { type Caller, callerId } from './context.js';
import { AppError } from './errors.js';
import { type PlaceLeases } from './processes/siblings.js';

/** The maximum of concurrent long polls (`?wait=`) of one key on this machine. */
export const WAITS_PER_KEY = 100;

/** Reports the end of a caller's key or session. @returns the function that stops watching. */
export interface CallerWatch {
  watch: (caller: Caller, onEnd: () => void) => () => void;
}

/** Counts long polls by key, and ends those whose key has ended. */
export class LongPolls {
  private readonly places: Places;

  constructor(
    private readonly listeners: Listeners,
    private readonly callers: CallerWatch,
    leases?: PlaceLeases,
  ) {
    this.places = new Places(WAITS_PER_KEY, leases);
  }

  /**
   * Runs a long poll. Its signal aborts when the key or session ends.
   * @throws AppError `rate_limited` if the key or its account has too many open; `unauthorized` if the key or session ended
   * during the wait.
   */
  async run<T>(caller: Caller, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const release = await this.places.take(callerId(caller));
    if (release === undefined) {
      const message = `A key may have at most ${WAITS_PER_KEY} requests with \`wait\` open at a time.`;
      throw new AppError('rate_limited', message, { retryAfter: 1 });
    }
    try {
      const releaseListener = await this.listeners.take(caller.accountId);
      const end = new AbortController();
      const unwatch = this.callers.watch(caller, () => end.abort());
      try {
        const value = await work(end.signal);
        if (end.signal.aborted)
          throw new AppError('unauthorized', 'The key or session ended while the request waited.');
        return value;
      } finally {
        unwatch();
        releaseListener();
      }
    } finally {
      release();
    }
  }
}

/** The awaited value, and how to learn of changes. */
export interface LongPoll<T> {
  /** Calls `raise` on each change from now on. @returns the function that detaches the listener. */
  listen: (raise: () => void) => (() => void) | Promise<() => void>;
  read: () => Promise<T>;
  isThere: (value: T) => boolean;
  milliseconds: number;
  /** End the wait: the client has disconnected, or its key has ended. */
  signals: readonly AbortSignal[];
}

/**
 * Returns the value as soon as it is ready, or its state when the time is up. Holds no database connection while it
 * waits.
 */
export async function longPoll<T>({ listen, read, isThere, milliseconds, signals }: LongPoll<T>): Promise<T> {
  const change = new Signal();
  const detach = await listen(() => change.raise());
  const stop = (): void => change.stop();
  const timer = setTimeout(stop, milliseconds);
  for (const signal of signals) signal.addEventListener('abort', stop);
  if (signals.some(({ aborted }) => aborted)) stop();
  try {
    for (;;) {
      // Read after the listener is attached: every later commit raises the signal.
      const value = await read();
      if (isThere(value) || !(await change.next())) return value;
    }
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', stop);
    detach();
  }
}

/** Wakes one waiter, even when it was raised before the waiter came. A signal raised before the stop still counts. */
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

  /** Resolves to true at the next signal, or to false when it was stopped. */
  async next(): Promise<boolean> {
    const rang = await this.raised.promise;
    this.raised = Promise.withResolvers();
    if (this.stopped) this.raised.resolve(false);
    return rang;
  }
}
