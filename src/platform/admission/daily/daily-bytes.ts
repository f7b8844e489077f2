import { type Clock } from '../../clock.js';
import { type Amounts, type Spending } from '../../processes/spending.js';

const DAY_MS = 86_400_000;
/** Entries checked whenever bytes are added. With more than one, empty entries go faster than new ones come. */
const LOOKED_AT = 2;

/** `bytes` as of `at`, milliseconds of the clock; they drain. */
interface Used {
  bytes: number;
  at: number;
}

/**
 * Budgets of bytes by account, over all processes of a machine: an account may use `most` at once, and the same again in
 * the course of a day. A start of the service forgets what was used.
 */
export class DailyBytes {
  private readonly accounts = new Map<string, Used>();
  /** Iterates over all entries, a few per addition. */
  private round: Iterator<[string, Used]> | undefined;
  private readonly bytesPerMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly most: number,
    private readonly spending?: Spending,
  ) {
    this.bytesPerMs = most / DAY_MS;
    spending?.share({
      subtract: (account, bytes) => this.count(account, bytes),
      missing: () => this.missing(),
    });
  }

  /** Counts bytes, also those beyond the budget: they are owed. */
  add(account: string, bytes: number): void {
    this.forgetSome();
    this.count(account, bytes);
    this.spending?.add(account, bytes);
  }

  /** The seconds until an account may use so many bytes, with `budgets` budgets; 0 if it may now. */
  waitFor(account: string, bytes: number, budgets = 1): number {
    const excess = this.drained(account).bytes + bytes - budgets * this.most;
    return excess > 0 ? Math.ceil(excess / this.bytesPerMs / 1_000) : 0;
  }

  /** All accounts that have used bytes lately. */
  get known(): Iterable<string> {
    return this.accounts.keys();
  }

  private count(account: string, bytes: number): void {
    const used = this.drained(account);
    this.accounts.set(account, { ...used, bytes: used.bytes + bytes });
  }

  /** A clock that was set back drains nothing. */
  private drained(account: string): Used {
    const now = this.clock.now().getTime();
    const { bytes, at } = this.accounts.get(account) ?? { bytes: 0, at: now };
    return { bytes: Math.max(0, bytes - Math.max(0, now - at) * this.bytesPerMs), at: now };
  }

  private missing(): Amounts {
    return [...this.accounts.keys()].map((account): Amounts[number] => [account, this.drained(account).bytes]);
  }

  private forgetSome(): void {
    for (let looked = 0; looked < LOOKED_AT; looked += 1) {
      this.round ??= this.accounts.entries();
      const next = this.round.next();
      if (next.done === true) this.round = undefined;
      else if (this.drained(next.value[0]).bytes === 0) this.accounts.delete(next.value[0]);
    }
  }
}
