import { performance } from 'node:perf_hooks';

/** The maximum of unread bytes of one reader. */
export const UNREAD_OF_READER = 4_194_304;
/** The maximum of unread bytes of all readers of an account in this process. */
export const UNREAD_OF_ACCOUNT = 67_108_864;
/** How long a reader may take to make progress, in milliseconds. */
export const PATIENCE_MS = 10_000;
/**
 * The progress required in that time: this many bytes, or all unread bytes where those are fewer. A byte a second does
 * not count.
 */
export const PROGRESS = 65_536;

const LOOK_MS = 1_000;

/** The readers of one account, which share a budget. */
interface Account {
  readers: number;
  unread: number;
  behind: Set<Reader>;
}

/** The bytes of one connection that were sent and not yet taken by the network. */
export interface UnreadReader {
  add(bytes: number): void;
  take(bytes: number): void;
  /** From now on counts the reader to this account. */
  moveTo(accountId: string): void;
  /** The connection has closed. */
  leave(): void;
}

/**
 * Limits the unread bytes of event streams, by account. Three kinds of reader are ended: those over their own limit,
 * the largest of an account over its limit, and those without progress. The limits are checked between turns of the
 * event loop: by then the network has taken all that it takes at once.
 */
export class UnreadBytes {
  private readonly accounts = new Map<string, Account>();
  private readonly suspects = new Set<Account>();
  private scheduledCheck: NodeJS.Immediate | undefined;
  private watch: NodeJS.Timeout | undefined;

  constructor(readonly now: () => number = () => performance.now()) {}

  /** All unread bytes now. */
  get total(): number {
    return [...this.accounts.values()].reduce((sum, { unread }) => sum + unread, 0);
  }

  /** Adds a reader without an account. @param onTooSlow closes its connection. */
  open(onTooSlow: () => void): UnreadReader {
    return new Reader(this, onTooSlow);
  }

  /** Ends the readers without progress for 10 s. Runs once a second while any bytes are unread. */
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

  /** Checks a reader to which bytes were added. */
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
  /** The time of its last progress, or of its first unread byte. */
  since = 0;
  /** Bytes left to take until the next progress. */
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
