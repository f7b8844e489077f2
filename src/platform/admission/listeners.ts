import { AppError } from '../errors.js';
import { Places } from './places.js';

/** The maximum of subscriptions and long polls of an account in this process. */
export const LISTENERS_OF_ACCOUNT = 20_000;
/** The maximum of changes queued for all listeners of an account together: each is a pointer. */
const WAITING_OF_ACCOUNT = 2_000_000;
/** The maximum of changes queued for one listener: a worker publishes hundreds at once. */
const WAITING_OF_LISTENER = 10_000;

/** Counts listeners by account: each change costs work for each listener. */
export class Listeners {
  private readonly places = new Places(LISTENERS_OF_ACCOUNT);

  /**
   * @returns the function that releases the place, once. @throws AppError `rate_limited` when the account has none
   * left.
   */
  take(accountId: string): () => void {
    const release = this.places.take(accountId);
    if (release !== undefined) return release;
    const message = `An account has at most ${LISTENERS_OF_ACCOUNT} listeners in a process of the service.`;
    throw new AppError('rate_limited', message, { retryAfter: 1 });
  }

  /** The number of listeners of an account. */
  of(accountId: string): number {
    return this.places.of(accountId);
  }

  /** The maximum of changes queued for one listener of an account. */
  waitingOf(accountId: string): number {
    return Math.min(WAITING_OF_LISTENER, Math.floor(WAITING_OF_ACCOUNT / Math.max(1, this.of(accountId))));
  }
}
