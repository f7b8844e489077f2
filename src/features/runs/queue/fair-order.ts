import { type Clock } from '../../../platform/clock.js';

/** What an account may queue in a second before its runs begin to stand behind those of others: 20 runs. */
const RUN_MS = 50;
/** Nobody's runs stand further behind, so that those wait no longer however busy all others are. */
const FURTHEST_MS = 30 * 60_000;
/** Of the order's numbers, which PostgreSQL keeps as int4: they last until 2039. */
const UNIT_MS = 100;
const FIRST_MS = Date.UTC(2026, 0, 1);
const HIGHEST = 2 ** 31 - 1;
const REMEMBERED = 10_000;

/**
 * Orders the runs of all accounts fairly, at the moment they are queued (start-time fair queueing): each takes its
 * account 50 ms further, and it stands where its account has come to, or at the present. So a burst of one account lies
 * spread out behind whatever others queue meanwhile, and no worker has to look past it. Each process counts by itself.
 */
export class FairOrder {
  /** How far accounts have come, in milliseconds since 1970; those that are ahead of the present. */
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

  /** True when nobody is ahead of the present. */
  get isEven(): boolean {
    return this.ahead.size === 0;
  }

  /** Nobody waits: what accounts had until now took nothing from others. */
  reset(): void {
    this.ahead.clear();
  }

  private forget(now: number): void {
    for (const [account, at] of this.ahead) if (at <= now + RUN_MS) this.ahead.delete(account);
  }
}
