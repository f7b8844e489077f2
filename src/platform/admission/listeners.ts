import { AppError } from '../errors.js';
import { type PlaceLeases } from '../processes/siblings.js';
import { Places } from './places.js';

/** The maximum of subscriptions and long polls of an account on this machine. */
export const LISTENERS_OF_ACCOUNT = 20_000;
/** The maximum of changes queued for all listeners of an account together: each is a pointer. */
const WAITING_OF_ACCOUNT = 2_000_000;
/** The maximum of changes queued for one listener: a worker publishes hundreds at once. */
const WAITING_OF_LISTENER = 10_000;

/** Counts listeners by account: each change costs work for each listener. */
export class Listeners {
  private readonly places: Places;

  constructor(leases?: PlaceLeases) {
    this.places = new Places(LISTENERS_OF_ACCOUNT, leases);
  }

  /**
   * @returns the function that releases the place, once. @throws AppError `rate_limited` when the account has none
   * left.
   */
  async take(accountId: string): Promise<() => void> {
    const release = await this.places.take(accountId);
    if (release !== undefined) return release;
    const message = `An account has at most ${LISTENERS_OF_ACCOUNT} listeners on a machine of the service.`;
    throw new AppError('rate_limited', message, { retryAfter: 1 });
  }

  /** The number of listeners of an account in this process. */
  of(accountId: string): number {
    return this.places.of(accountId);
  }

  /** The maximum of changes queued for one listener of an account. */
  waitingOf(accountId: string): number {
    return Math.min(WAITING_OF_LISTENER, Math.floor(WAITING_OF_ACCOUNT / Math.max(1, this.of(accountId))));
  }
}
