import { type Clock } from '../../../platform/clock.js';

/** Each run moves its account this far ahead: accounts that queue more than 20 runs a second get behind others. */
const RUN_MS = 50;
/**
 * The furthest that a run may be placed in the future, which bounds its wait behind other accounts. The runs of a flood
 * that can't be executed gather in front of those of others from then on. A look into the queue skips over them.
 */
const FURTHEST_MS = 12 * 3_600_000;
/** The unit of priorities, which PostgreSQL stores as int4: they last until 2039. */
const UNIT_MS = 100;
const FIRST_MS = Date.UTC(2026, 0, 1);
const HIGHEST = 2 ** 31 - 1;
const REMEMBERED = 10_000;

/**
 * Orders the runs of all accounts fairly when they are queued (start-time fair queueing). Each run moves its account 50
 * ms ahead and is placed at the account's position, or at the present if that is later. So a burst of one account
 * spreads out behind the runs that others queue after it, and workers need not skip over it. Each process counts
 * separately.
 */
export class FairOrder {
  /** The positions of accounts that are ahead of the present, in milliseconds since 1970. */
  private readonly ahead = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** The priority of an account's next run, higher first: a 32-bit integer. */
  next(account: string): number {
    const now = this.clock.now().getTime();
    const at = Math.min(Math.max(now, this.ahead.get(account) ?? 0), now + FURTHEST_MS);
    this.ahead.set(account, at + RUN_MS);
    if (this.ahead.size > REMEMBERED) this.forget(now);
    return HIGHEST - Math.floor((at - FIRST_MS) / UNIT_MS);
  }

  /**
   * The priority of a run that yields to all runs of all accounts: no run that is queued now is placed further back. Runs
   * that are queued twelve hours later go behind it, so that it is executed at some time. It moves no account ahead.
   */
  background(): number {
    return HIGHEST - Math.floor((this.clock.now().getTime() + FURTHEST_MS + UNIT_MS - FIRST_MS) / UNIT_MS);
  }

  /** True when no account is ahead of the present. */
  get isEven(): boolean {
    return this.ahead.size === 0;
  }

  /** Call it when the queue is empty: then no account has taken anything from another. */
  reset(): void {
    this.ahead.clear();
  }

  private forget(now: number): void {
    for (const [account, at] of this.ahead) if (at <= now + RUN_MS) this.ahead.delete(account);
  }
}
