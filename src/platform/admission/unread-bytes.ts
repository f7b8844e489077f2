import { performance } from 'node:perf_hooks';

/** Bytes that one reader may leave unread. */
export const UNREAD_OF_READER = 4_194_304;
/** Bytes that all readers of an account may leave unread in this process. */
export const UNREAD_OF_ACCOUNT = 67_108_864;
/** How long a reader may take to make progress, in milliseconds. */
export const PATIENCE_MS = 10_000;
/** What counts as progress: so many bytes, or all that was unread where that is less. A byte a second is none. */
export const PROGRESS = 65_536;

const LOOK_MS = 1_000;

/** Readers that share a budget. */
interface Account {
  readers: number;
  unread: number;
  behind: Set<Reader>;
}

/** One connection's bytes that were sent and not yet taken by the network. */
export interface UnreadReader {
  add(bytes: number): void;
  take(bytes: number): void;
  /** Counts it to an account from now on. */
  moveTo(accountId: string): void;
  /** The connection is over. */
  leave(): void;
}

/**
 * What the readers of event streams leave unread, in bytes, by account. A reader over its limit, the largest ones of an
 * account over its limit, and those that make no progress are ended. The limits are looked at between turns of the event
 * loop: by then the network has what it takes at once.
 */
export class UnreadBytes {
  private readonly accounts = new Map<string, Account>();
  private readonly suspects = new Set<Account>();
  private scheduledCheck: NodeJS.Immediate | undefined;
  private watch: NodeJS.Timeout | undefined;

  constructor(readonly now: () => number = () => performance.now()) {}

  /** All that is unread now. */
  get total(): number {
    return [...this.accounts.values()].reduce((sum, { unread }) => sum + unread, 0);
  }

  /** A reader of no account yet. @param onTooSlow ends its connection. */
  open(onTooSlow: () => void): UnreadReader {
    return new Reader(this, onTooSlow);
  }

  /** Ends the readers that made no progress for 10 s. Once a second by itself. */
  look(): void {
    const since = this.now() - PATIENCE_MS;
    let behind = 0;
    for (const account of this.accounts.values()) {
      for (const reader of account.behind) if (reader.since <= since) reader.end();
      behind += account.behind.size;
    }
    if (behind > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }

  join(accountId: string): Account {
    let account = this.accounts.get(accountId);
    if (account === undefined) {
      account = { readers: 0, unread: 0, behind: new Set() };
      this.accounts.set(accountId, account);
    }
    account.readers += 1;
    return account;
  }

  part(accountId: string, account: Account): void {
    account.readers -= 1;
    if (account.readers === 0) this.accounts.delete(accountId);
  }

  /** A reader has got more. */
  note(reader: Reader, account: Account): void {
    this.watch ??= setInterval(() => this.look(), LOOK_MS).unref();
    if (reader.unread <= UNREAD_OF_READER && account.unread <= UNREAD_OF_ACCOUNT) return;
    this.suspects.add(account);
    this.scheduledCheck ??= setImmediate(() => this.endReadersOverLimit());
  }

  private endReadersOverLimit(): void {
    this.scheduledCheck = undefined;
    for (const account of this.suspects) {
      for (const reader of account.behind) if (reader.unread > UNREAD_OF_READER) reader.end();
      if (account.unread <= UNREAD_OF_ACCOUNT) continue;
      const largestFirst = [...account.behind].sort((a, b) => b.unread - a.unread);
      for (const reader of largestFirst) {
        if (account.unread <= UNREAD_OF_ACCOUNT) break;
        reader.end();
      }
    }
    this.suspects.clear();
  }
}

class Reader implements UnreadReader {
  unread = 0;
  /** When it made progress, or got something to read. */
  since = 0;
  /** Bytes to take until that counts as progress. */
  private due = 0;
  private accountId = '';
  private account: Account;
  private hasLeft = false;

  constructor(
    private readonly all: UnreadBytes,
    private readonly onTooSlow: () => void,
  ) {
    this.account = all.join('');
  }

  add(bytes: number): void {
    if (this.hasLeft) return;
    if (this.unread === 0) this.account.behind.add(this);
    this.unread += bytes;
    this.account.unread += bytes;
    if (this.unread === bytes) this.expectProgress();
    this.all.note(this, this.account);
  }

  take(bytes: number): void {
    const taken = Math.min(bytes, this.unread);
    this.unread -= taken;
    this.account.unread -= taken;
    this.due -= taken;
    if (this.unread === 0) this.account.behind.delete(this);
    else if (this.due <= 0) this.expectProgress();
  }

  moveTo(accountId: string): void {
    if (this.hasLeft) return;
    const { unread } = this;
    this.take(unread);
    this.all.part(this.accountId, this.account);
    this.accountId = accountId;
    this.account = this.all.join(accountId);
    if (unread > 0) this.add(unread);
  }

  leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    this.take(this.unread);
    this.all.part(this.accountId, this.account);
  }

  end(): void {
    this.take(this.unread);
    this.onTooSlow();
  }

  private expectProgress(): void {
    this.since = this.all.now();
    this.due = Math.min(PROGRESS, this.unread);
  }
}
