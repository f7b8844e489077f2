/** How long an account counts that has kept rows locked, in milliseconds. Each repetition doubles it. */
const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;
/** How long a locked row is remembered after that, in milliseconds. */
const REMEMBERED_MS = 60_000;

/**
 * Accounts that keep rows locked. An account may lock and unlock a row in turn, so that it is free now says nothing: it
 * counts for the whole time.
 */
export class LockKeepers {
  /** By account: how often it kept others waiting, and until when it counts for that. */
  private readonly met = new Map<string, { times: number; until: number }>();
  private latest = -Infinity;

  /** `enough`: an account counts from this locked row on; a single one may be a slow commit. */
  constructor(
    private readonly enough: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes that others waited for a locked row of an account. */
  note(account: string): void {
    if (this.has(account)) return;
    const now = this.now();
    for (const [other, { until }] of this.met) if (until + REMEMBERED_MS <= now) this.met.delete(other);
    const times = (this.met.get(account)?.times ?? 0) + 1;
    const ms = times < this.enough ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - this.enough));
    this.met.set(account, { times, until: now + ms });
    this.latest = Math.max(this.latest, now + ms);
  }

  has(account: string): boolean {
    return this.now() < (this.met.get(account)?.until ?? -Infinity);
  }

  /** Whether any account counts. */
  get hasAny(): boolean {
    return this.now() < this.latest;
  }
}
