import { DailyBytes } from '../../platform/admission/daily/daily-bytes.js';
import { type Clock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors.js';
import { type Spending } from '../../platform/processes/spending.js';

/** The bytes of longer responses that an account may have kept at once, and the same again in the course of a day. */
export const KEPT_OF_ACCOUNT = 268_435_456;
/** Shorter responses do not count, in bytes: their requests weigh as much in the rate of writes. */
export const SHORT_BYTES = 16_384;

/** Counts the bytes of kept responses by account. */
export class KeptBytes {
  private readonly bytes: DailyBytes;

  constructor(clock: Clock, spending?: Spending) {
    this.bytes = new DailyBytes(clock, KEPT_OF_ACCOUNT, spending);
  }

  /** Counts a response. @throws AppError `rate_limited` if the account would have too many bytes; then none count. */
  add(accountId: string, bytes: number): void {
    if (bytes <= SHORT_BYTES) return;
    const wait = this.bytes.waitFor(accountId, bytes);
    if (wait > 0) throw tooMany(wait);
    this.bytes.add(accountId, bytes);
  }
}

function tooMany(retryAfter: number): AppError {
  const message =
    `The account has too many long responses kept for an Idempotency-Key; nothing has changed. ` +
    `Select less than ${SHORT_BYTES / 1_024} kB, or try again in ${retryAfter} s.`;
  return new AppError('rate_limited', message, { retryAfter });
}
