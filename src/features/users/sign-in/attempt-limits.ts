import { type Clock } from '../../../platform/clock.js';
import { AppError } from '../../../platform/errors.js';
import { type Amounts, type Spending } from '../../../platform/processes/spending.js';
import { networkOf } from '../../../platform/http/inbound/client-address.js';

/**
 * The keys by which attempts are counted:
 * - `address`: the client's network; `person`: a person and a network;
 * - `browser`: a browser where the person has signed in before; `browsers`: a person, from all such browsers together;
 * - `anywhere`: a person, from all other browsers together;
 * - `recipient`: the recipient of a mail;
 * - `invitation`: an account and the address it invites; `invited`: the invited address, over all accounts;
 *   `inviter`: an account, over all addresses.
 */
export type AttemptKind =
  'address' | 'person' | 'browser' | 'browsers' | 'anywhere' | 'recipient' | 'invitation' | 'invited' | 'inviter';

/** The keys that one attempt counts against. */
export type Attempts = Partial<Record<AttemptKind, string>>;

/** The invitations that an account may mail: otherwise it could mail any number of strangers in the operator's name. */
export const INVITATIONS = { burst: 100, seconds: 900 };

/** `burst` attempts at once, and one more every `seconds`. */
const LIMITS: Readonly<Record<AttemptKind, { burst: number; seconds: number }>> = {
  address: { burst: 30, seconds: 10 },
  // Per network, so that guesses from one network don't lock the person out elsewhere.
  person: { burst: 10, seconds: 30 },
  browser: { burst: 10, seconds: 30 },
  // A person may sign in any number of times, and each time makes another browser.
  browsers: { burst: 20, seconds: 10 },
  anywhere: { burst: 100, seconds: 30 },
  recipient: { burst: 3, seconds: 300 },
  invitation: { burst: 3, seconds: 1_200 },
  invited: { burst: 10, seconds: 360 },
  inviter: INVITATIONS,
};
/** Entries checked for expiry per counted attempt. With more than one, expired entries go faster than new ones come. */
const LOOKED_AT = 2;

/**
 * Limits attempts at passwords and links, over all processes of a machine. Successful attempts are uncounted, so that only
 * guesses count.
 */
export class AttemptLimits {
  /** The theoretical arrival time of each key, in clock milliseconds (generic cell rate algorithm). */
  private readonly restAt = new Map<string, number>();
  /** Iterates over all entries, a few per attempt, so that no attempt has to check all of them. */
  private round: Iterator<[string, number]> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly isOn: boolean,
    private readonly spending?: Spending,
  ) {
    spending?.share({
      subtract: (name, milliseconds) => this.move(name, this.clock.now().getTime(), milliseconds),
      missing: () => this.missing(),
    });
  }

  /** Counts an attempt. @returns the function that uncounts it. @throws AppError `rate_limited`. */
  take(attempts: Attempts): () => void {
    if (!this.isOn) return () => undefined;
    const now = this.clock.now().getTime();
    const names = (Object.entries(attempts) as [AttemptKind, string][]).map(([kind, who]): [AttemptKind, string] => [
      kind,
      kind === 'address' ? networkOf(who) : who,
    ]);
    for (const [kind, who] of names) {
      const { burst, seconds } = LIMITS[kind];
      const waitMs = this.restOf(`${kind} ${who}`, now) - now - (burst - 1) * seconds * 1_000;
      if (waitMs > 0) {
        throw new AppError('rate_limited', sentenceFor(kind, waitMs), { retryAfter: Math.ceil(waitMs / 1_000) });
      }
    }
    for (const [kind, who] of names) this.count(kind, who, now, LIMITS[kind].seconds * 1_000);
    return () => {
      for (const [kind, who] of names) this.count(kind, who, now, -LIMITS[kind].seconds * 1_000);
    };
  }

  private forgetSome(now: number): void {
    for (let looked = 0; looked < LOOKED_AT; looked += 1) {
      this.round ??= this.restAt.entries();
      const next = this.round.next();
      if (next.done === true) this.round = undefined;
      else if (next.value[1] <= now) this.restAt.delete(next.value[0]);
    }
  }

  private restOf(name: string, now: number): number {
    return Math.max(now, this.restAt.get(name) ?? now);
  }

  private count(kind: AttemptKind, who: string, now: number, milliseconds: number): void {
    this.move(`${kind} ${who}`, now, milliseconds);
    this.spending?.add(`${kind} ${who}`, milliseconds);
  }

  private move(name: string, now: number, milliseconds: number): void {
    this.forgetSome(now);
    this.restAt.set(name, this.restOf(name, now) + milliseconds);
  }

  /** Of each key, in milliseconds. */
  private missing(): Amounts {
    const now = this.clock.now().getTime();
    return [...this.restAt]
      .map(([name]): Amounts[number] => [name, this.restOf(name, now) - now])
      .filter(([, ms]) => ms > 0);
  }
}

function sentenceFor(kind: AttemptKind, waitMs: number): string {
  const again = `Try again in ${Math.ceil(waitMs / 60_000)} min.`;
  if (kind === 'inviter') return `This account has invited ${INVITATIONS.burst} people within a short time. ${again}`;
  if (kind === 'invitation' || kind === 'invited') return `This address was invited too often. ${again}`;
  return 'Too many attempts. Wait a moment, then try again.';
}
