import { type Clock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors.js';
import { type Amounts, type Spending } from '../../platform/processes/spending.js';

/** The bytes of longer responses that an account may have kept at once, and the same again in the course of a day. */
export const KEPT_OF_ACCOUNT = 268_435_456;
/** Shorter responses do not count, in bytes: their requests weigh as much in the rate of writes. */
export const SHORT_BYTES = 16_384;

const BYTES_PER_MS = KEPT_OF_ACCOUNT / 86_400_000;
/** Entries checked per added response. With more than one, empty entries go faster than new ones come. */
const LOOKED_AT = 2;

/** `bytes` as of `at`, milliseconds of the clock; they drain. */
interface Kept {
  bytes: number;
  at: number;
}

/** Counts the bytes of kept responses by account, over all processes of a machine. A start of the service forgets them. */
export class KeptBytes {
  private readonly accounts = new Map<string, Kept>();
  /** Iterates over all entries, a few per response. */
  private round: Iterator<[string, Kept]> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly spending?: Spending,
  ) {
    spending?.share({
      subtract: (accountId, bytes) => this.count(accountId, bytes),
      missing: () => this.missing(),
    });
  }

  /** Counts a response. @throws AppError `rate_limited` if the account would have too many bytes; then none count. */
  add(accountId: string, bytes: number): void {
    if (bytes <= SHORT_BYTES) return;
    this.forgetSome();
    const excess = this.drained(accountId).bytes + bytes - KEPT_OF_ACCOUNT;
    if (excess > 0) throw tooMany(Math.ceil(excess / BYTES_PER_MS / 1_000));
    this.count(accountId, bytes);
    this.spending?.add(accountId, bytes);
  }

  private count(accountId: string, bytes: number): void {
    const kept = this.drained(accountId);
    this.accounts.set(accountId, { ...kept, bytes: kept.bytes + bytes });
  }

  /** A clock that was set back drains nothing. */
  private drained(accountId: string): Kept {
    const now = this.clock.now().getTime();
    const { bytes, at } = this.accounts.get(accountId) ?? { bytes: 0, at: now };
    return { bytes: Math.max(0, bytes - Math.max(0, now - at) * BYTES_PER_MS), at: now };
  }

  private missing(): Amounts {
    return [...this.accounts.keys()].map((accountId): Amounts[number] => [accountId, this.drained(accountId).bytes]);
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

function tooMany(retryAfter: number): AppError {
  const message =
    `The account has too many long responses kept for an Idempotency-Key; nothing has changed. ` +
    `Select less than ${SHORT_BYTES / 1_024} kB, or try again in ${retryAfter} s.`;
  return new AppError('rate_limited', message, { retryAfter });
}
