import { Places } from '../../../platform/admission/places.js';
import { type Caller, callerId } from '../../../platform/context.js';
import { type PlaceLeases } from '../../../platform/processes/siblings.js';

/** The maximum of sockets, and separately of event streams, that one key may have open on this machine. */
export const CONNECTIONS_PER_KEY = 1_000;
/** The maximum of sockets, and separately of event streams, of all keys and sessions of an account in a process. */
export const CONNECTIONS_OF_ACCOUNT = 5_000;

/** Which limit a refused connection has met. */
export type Refused = 'key' | 'account';

/** Counts connections of one kind. An idle one takes memory too, and an account may have many keys and sessions. */
export class ConnectionPlaces {
  private readonly ofKey: Places;
  private readonly ofAccount = new Places(CONNECTIONS_OF_ACCOUNT);

  /** `leases`: the places of keys, if several processes share them. */
  constructor(leases: PlaceLeases | undefined) {
    this.ofKey = new Places(CONNECTIONS_PER_KEY, leases);
  }

  /** Takes a place. @returns the function that releases it, once, or the limit that left none. */
  async take(caller: Caller): Promise<(() => void) | Refused> {
    // Without leases, so not a promise.
    const leave = this.ofAccount.take(caller.accountId) as (() => void) | undefined;
    if (leave === undefined) return 'account';
    try {
      const release = await this.ofKey.take(callerId(caller));
      if (release !== undefined) {
        return () => {
          leave();
          release();
        };
      }
    } catch (error) {
      leave();
      throw error;
    }
    leave();
    return 'key';
  }
}
