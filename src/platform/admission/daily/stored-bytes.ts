import { type Clock } from '../../clock.js';
import { AppError } from '../../errors.js';
import { type Spending } from '../../processes/spending.js';
import { ResponsePace } from '../response-pace.js';
import { DailyBytes } from './daily-bytes.js';

const MEGABYTE = 1_048_576;
/** What a write takes besides its body, in bytes: a row, its indexes and the entry in the audit log. */
export const WRITE_BYTES = 1_024;

/** Tells whether the installation has more than one account. */
export interface Accounts {
  areSeveral(): Promise<boolean>;
}

/**
 * The bytes that each account has stored (STORED_LIMIT_MB), so that no account fills the disk for the others. Bytes are
 * counted once they are stored; an account that has used up its budget stores nothing more until some of it has drained.
 * The only account of an installation is never refused anything: the disk is its own.
 */
export class StoredBytes {
  private readonly bytes: DailyBytes | undefined;
  private readonly refusals = new ResponsePace();

  /** `megabytes`: the budget of an account; 0: no limit. */
  constructor(
    clock: Clock,
    private readonly megabytes: number,
    private readonly accounts: Accounts,
    spending?: Spending,
  ) {
    this.bytes = megabytes === 0 ? undefined : new DailyBytes(clock, megabytes * MEGABYTE, spending);
  }

  /** Counts bytes that an account has stored. */
  add(account: string, bytes: number): void {
    this.bytes?.add(account, bytes);
  }

  /** Counts the writes of a request over a door, which have so many bytes. */
  addWrites(account: string, bytes: number, writes = 1): void {
    this.add(account, writes * WRITE_BYTES + bytes);
  }

  /** Those of the accounts that may store nothing now. It looks something up only if there are any. */
  async fullOf(accounts: Iterable<string>): Promise<ReadonlySet<string>> {
    const full = new Set<string>();
    for (const account of accounts) if (this.waitOf(account) > 0) full.add(account);
    return full.size > 0 && (await this.accounts.areSeveral()) ? full : new Set();
  }

  /** All accounts that may store nothing now. */
  async full(): Promise<string[]> {
    return [...(await this.fullOf(this.bytes?.known ?? []))];
  }

  /** Whether an account may store nothing now. */
  async isFull(account: string): Promise<boolean> {
    return this.waitOf(account) > 0 && this.accounts.areSeveral();
  }

  /** @throws AppError `rate_limited` for an account that has stored so many times its budget. */
  async demandRoom(account: string, budgets = 1): Promise<void> {
    if (this.waitOf(account, budgets) > 0 && (await this.accounts.areSeveral())) throw this.refusal(account, budgets);
  }

  /** The error for a request of a full account. */
  refusal(account: string, budgets = 1): AppError {
    const retryAfter = Math.max(1, this.waitOf(account, budgets));
    const message =
      `The account has stored ${budgets === 1 ? '' : 'twice '}the ${this.megabytes.toLocaleString('en')} MB that it may store in a day; nothing has changed. ` +
      `Try again in ${retryAfter} s, and store less: smaller posts, outputs and requests. The operator sets the limit (STORED_LIMIT_MB).`;
    return new AppError('rate_limited', message, { retryAfter, holdMs: this.refusals.next(account) });
  }

  private waitOf(account: string, budgets = 1): number {
    return this.bytes?.waitFor(account, 1, budgets) ?? 0;
  }
}

/** No limit, for what is built without the service around it. */
export function unlimitedBytes(clock: Clock): StoredBytes {
  return new StoredBytes(clock, 0, { areSeveral: () => Promise.resolve(false) });
}
