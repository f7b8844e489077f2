import { AppError } from '../../errors.js';
import { type Span } from '../../tracing/span.js';

/** A member in the queue or in a write, with its caller. */
export interface Entry<M, R> {
  member: M;
  /** The time of arrival, by `performance.now()`. */
  since: number;
  /** The span of its caller. */
  span: Span | undefined;
  /** Releases its place in the queue. */
  leave: () => void;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
  /** Whether it has its result. */
  isSettled?: boolean;
  /** Whether its commit may have begun. */
  isCommitting?: boolean;
}

/** Rolls a write back of which a member has been refused. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Refuses an entry that did not get its turn. */
export function tooMuchWaits(): AppError {
  return new AppError('unavailable', 'Too much is waiting to be stored. Try again shortly.', { retryAfter: 1 });
}

/** Refuses an entry whose patience is over, and that a locked row kept waiting. */
export function rowIsLocked(): AppError {
  return new AppError('unavailable', 'Another change keeps a row locked. Try again shortly.', { retryAfter: 1 });
}

/** Refuses an entry whose write is still under way. */
export function notConfirmed(): AppError {
  const message = 'The database has not confirmed this in time, so it may be stored or not. Try again shortly.';
  return new AppError('unavailable', message, { retryAfter: 1 });
}

/** Passes the result of its write to the caller of an entry. */
export function settle<M, R>({ resolve, reject }: Entry<M, R>, result: R | Error): void {
  if (result instanceof Error) reject(result);
  else resolve(result);
}
