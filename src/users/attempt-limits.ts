import { type Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { networkOf } from '../http/client-address.js';

/**
 * What attempts are counted by: where they come from, whom they are about, and whom they would write to; of invitations
 * the account with the address that it invites, and the address alone, whoever invites it.
 */
export type AttemptKind = 'address' | 'person' | 'recipient' | 'invitation' | 'invited';

/** So many at once, and one more after so many seconds. */
const LIMITS: Readonly<Record<AttemptKind, { burst: number; seconds: number }>> = {
  address: { burst: 30, seconds: 10 },
  person: { burst: 10, seconds: 30 },
  recipient: { burst: 3, seconds: 300 },
  invitation: { burst: 3, seconds: 1_200 },
  invited: { burst: 10, seconds: 360 },
};
const SWEEP_SIZE = 10_000;

/** Attempts at passwords and links, per process. One that succeeds is given back, so that only guesses are counted. */
export class AttemptLimits {
  /** When each would be at rest again, in milliseconds of the clock (the generic cell rate algorithm). */
  private readonly restAt = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly isOn: boolean,
  ) {}

  /** Counts an attempt. @returns the function that uncounts it. @throws AppError `rate_limited`. */
  take(attempts: Partial<Record<AttemptKind, string>>): () => void {
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

  private restOf(kind: AttemptKind, who: string, now: number): number {
    return Math.max(now, this.restAt.get(`${kind} ${who}`) ?? now);
  }

  private move(kind: AttemptKind, who: string, now: number, milliseconds: number): void {
    if (this.restAt.size >= SWEEP_SIZE) {
      for (const [name, rest] of this.restAt) if (rest <= now) this.restAt.delete(name);
    }
    this.restAt.set(`${kind} ${who}`, this.restOf(kind, who, now) + milliseconds);
  }
}

function sentenceFor(kind: AttemptKind, waitMs: number): string {
  if (kind !== 'invitation' && kind !== 'invited') return 'Too many attempts. Wait a moment, then try again.';
  return `This address was invited too often. Try again in ${Math.ceil(waitMs / 60_000)} min.`;
}
