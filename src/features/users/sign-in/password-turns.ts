import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairShare } from '../../../platform/admission/fair-share.js';
import { OneByOne } from '../../../platform/admission/one-by-one.js';
import { type PasswordHash } from '../../../platform/encryption/password-hash.js';
import { AppError } from '../../../platform/errors.js';
import { networkOf } from '../../../platform/http/inbound/client-address.js';

/**
 * The most passwords that may wait for their turn, the one that is hashed included: more than any client would wait for.
 */
export const MAX_WAITING = 100;
/** The longest pause between two hashes, in milliseconds. */
const MAX_REST_MS = 200;

/**
 * Hashes one password at a time, because each takes a core for tens of milliseconds. As long a pause follows, in which
 * other requests have the core. Networks of clients take turns, so that guesses from one network delay a sign-in from
 * another by one hash and its pause. They share the places, so that guesses from a few networks leave some to others. All
 * IPv6 networks of one site (/48) count as one.
 */
export class PasswordTurns {
  private readonly turns = new OneByOne(undefined, (took) =>
    sleep(Math.min(MAX_REST_MS, took), undefined, { ref: false }),
  );
  private readonly network = new AsyncLocalStorage<string>();
  private readonly places = new FairShare(MAX_WAITING);

  constructor(private readonly slow: PasswordHash) {}

  /** Runs work whose hashes wait in the turns of the client's network. */
  of<T>(address: string, work: () => Promise<T>): Promise<T> {
    return this.network.run(networkOf(address, 48), work);
  }

  /** @throws AppError `unavailable` if too many of the network wait, or of all. */
  readonly hash = (password: string): Promise<string> => this.inTurn(() => this.slow.hash(password));

  /** @throws AppError `unavailable` if too many of the network wait, or of all. */
  readonly verify = (given: { hash: string; password: string }): Promise<boolean> =>
    this.inTurn(() => this.slow.verify(given));

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const network = this.network.getStore() ?? '';
    const leave = this.places.tryTake(network, 1);
    if (leave === undefined) {
      throw new AppError('unavailable', 'Too many people sign in at the same time.', { retryAfter: 5 });
    }
    return this.turns.add(network, work).finally(leave);
  }
}
