import { type Database, type Transaction } from '../db/database.js';
import { sqlState } from '../db/sql-state.js';

/** The longest wait of background work for a locked row, in milliseconds: the work of all other accounts waits behind it. */
const LOCK_MS = 100;
/** The rest of an account after its first locked row, in milliseconds. Each further one in a row doubles it. */
const FIRST_REST_MS = 500;
/** A unit of work locks rows for up to ten seconds. */
const MAX_REST_MS = 8_000;
/** PostgreSQL's lock_not_available. */
const LOCKED = '55P03';

interface Rest {
  ms: number;
  /** By `performance.now()`. */
  until: number;
}

/**
 * For a job that works on rows of several accounts in turn. A client may lock rows of its own account for seconds, again
 * and again. So a transaction of the job belongs to one account and waits for a lock only shortly. An account that met a
 * locked row rests, and does not delay the others by its next try either. Without its locks its work goes on after the rest.
 * A job whose work is not by account names another key instead, e.g. a recipient.
 */
export class LockedAccounts {
  private readonly rests = new Map<string, Rest>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The accounts that rest, for queries that leave out their rows. */
  get resting(): string[] {
    return [...this.rests.keys()].filter((account) => this.isResting(account));
  }

  isResting(account: string): boolean {
    return (this.rests.get(account)?.until ?? -Infinity) > this.now();
  }

  /**
   * Runs `work` in a transaction unless the account rests. @returns its result, and undefined without any effect if
   * the account rests or met a locked row. @throws what else fails.
   */
  async attempt<T>(
    db: Database,
    account: string,
    work: (tx: Transaction) => Promise<T>,
    lockMs = LOCK_MS,
  ): Promise<T | undefined> {
    if (this.isResting(account)) return undefined;
    try {
      const result = await db.transaction(work, lockMs);
      this.clear(account);
      return result;
    } catch (error) {
      if (sqlState(error) !== LOCKED) throw error;
      this.rest(account);
      return undefined;
    }
  }

  /** The account met no locked row this time. */
  clear(account: string): void {
    this.rests.delete(account);
  }

  /** The account met a locked row. */
  rest(account: string): void {
    const now = this.now();
    for (const [other, { until }] of this.rests) if (until + MAX_REST_MS <= now) this.rests.delete(other);
    const before = this.rests.get(account)?.ms;
    const ms = before === undefined ? FIRST_REST_MS : Math.min(MAX_REST_MS, before * 2);
    this.rests.set(account, { ms, until: now + ms });
  }
}
