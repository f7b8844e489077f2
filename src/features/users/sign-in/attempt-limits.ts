import { type Clock } from '../../../platform/clock.js';
import { AppError } from '../../../platform/errors.js';
import { networkOf } from '../../../platform/http/inbound/client-address.js';

/**
 * What attempts are counted by: the network that they come from; a person, by one network; a person, by a browser where
 * they signed in before; a person, by all other browsers together; the recipient of a mail; of invitations the account with
 * the address that it invites, and the address alone, by all accounts.
 */
export type AttemptKind = 'address' | 'person' | 'browser' | 'anywhere' | 'recipient' | 'invitation' | 'invited';

/** What one attempt is counted by. */
export type Attempts = Partial<Record<AttemptKind, string>>;

/** So many at once, and one more after so many seconds. */
const LIMITS: Readonly<Record<AttemptKind, { burst: number; seconds: number }>> = {
  address: { burst: 30, seconds: 10 },
  // By network, so that guesses from one lock nobody out elsewhere.
  person: { burst: 10, seconds: 30 },
  browser: { burst: 10, seconds: 30 },
  anywhere: { burst: 100, seconds: 30 },
  recipient: { burst: 3, seconds: 300 },
  invitation: { burst: 3, seconds: 1_200 },
  invited: { burst: 10, seconds: 360 },
};
/** So many entries are looked at for each one that is counted: what is at rest goes sooner than others come. */
const LOOKED_AT = 2;

/** Attempts at passwords and links, per process. One that succeeds is given back, so that only guesses are counted. */
export class AttemptLimits {
  /** When each would be at rest again, in milliseconds of the clock (the generic cell rate algorithm). */
  private readonly restAt = new Map<string, number>();
  /** Goes round all entries, a few at each attempt: no attempt pays for all. */
  private round: Iterator<[string, number]> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly isOn: boolean,
  ) {}

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
      const waitMs = this.restOf(kind, who, now) - now - (burst - 1) * seconds * 1_000;
      if (waitMs > 0) {
        throw new AppError('rate_limited', sentenceFor(kind, waitMs), { retryAfter: Math.ceil(waitMs / 1_000) });
      }
    }
    for (const [kind, who] of names) this.move(kind, who, now, LIMITS[kind].seconds * 1_000);
    return () => {
      for (const [kind, who] of names) this.move(kind, who, now, -LIMITS[kind].seconds * 1_000);
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

  private restOf(kind: AttemptKind, who: string, now: number): number {
    return Math.max(now, this.restAt.get(`${kind} ${who}`) ?? now);
  }

  private move(kind: AttemptKind, who: string, now: number, milliseconds: number): void {
    this.forgetSome(now);
    this.restAt.set(`${kind} ${who}`, this.restOf(kind, who, now) + milliseconds);
  }
}

function sentenceFor(kind: AttemptKind, waitMs: number): string {
  if (kind !== 'invitation' && kind !== 'invited') return 'Too many attempts. Wait a moment, then try again.';
  return `This address was invited too often. Try again in ${Math.ceil(waitMs / 60_000)} min.`;
}
