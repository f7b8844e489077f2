import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { OneByOne } from '../../../platform/admission/one-by-one.js';
import { type PasswordHash } from '../../../platform/encryption/password-hash.js';
import { AppError } from '../../../platform/errors.js';
import { networkOf } from '../../../platform/http/inbound/client-address.js';

/** The most passwords that may wait for their turn: more than any client would wait for. */
export const MAX_WAITING = 100;
/** The longest pause between two hashes, in milliseconds. */
const MAX_REST_MS = 200;

/**
 * Hashes one password at a time, because each takes a core for tens of milliseconds. As long a pause follows, in which
 * other requests have the core. Networks of clients take turns, so that guesses from one network delay a sign-in from
 * another by one hash and its pause.
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
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    void this.turns.add(this.network.getStore() ?? '', async () => {
      const began = performance.now();
      await Promise.resolve().then(work).then(resolve, reject);
      this.waiting -= 1;
      await sleep(Math.min(MAX_REST_MS, performance.now() - began), undefined, { ref: false });
    });
    return promise;
  }
}
