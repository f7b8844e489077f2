import { AsyncLocalStorage } from 'node:async_hooks';
import { OneByOne } from '../../../platform/admission/one-by-one.js';
import { type PasswordHash } from '../../../platform/encryption/password-hash.js';
import { AppError } from '../../../platform/errors.js';
import { networkOf } from '../../../platform/http/inbound/client-address.js';

/** The most passwords that may wait for their turn: more than any client would wait for. */
export const MAX_WAITING = 200;

/**
 * Hashes one password at a time, because each takes a core for tens of milliseconds; requests of other accounts use the
 * rest. Networks of clients take turns, so that guesses from one network delay a sign-in from another by one hash.
 */
export class PasswordTurns {
  private readonly turns = new OneByOne();
  private readonly network = new AsyncLocalStorage<string>();
  private waiting = 0;

  constructor(private readonly slow: PasswordHash) {}

  /** Runs work whose hashes wait in the turns of the client's network. */
  of<T>(address: string, work: () => Promise<T>): Promise<T> {
    return this.network.run(networkOf(address), work);
  }

  /** @throws AppError `unavailable` if too many wait. */
  readonly hash = (password: string): Promise<string> => this.inTurn(() => this.slow.hash(password));

  /** @throws AppError `unavailable` if too many wait. */
  readonly verify = (given: { hash: string; password: string }): Promise<boolean> =>
    this.inTurn(() => this.slow.verify(given));

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting === MAX_WAITING) {
      throw new AppError('unavailable', 'Too many people sign in at the same time.', { retryAfter: 5 });
    }
    this.waiting += 1;
    try {
      return await this.turns.add(this.network.getStore() ?? '', work);
    } finally {
      this.waiting -= 1;
    }
  }
}
