import { AppError } from '../errors.js';

/** How long a response waits for memory, a place or a turn, in milliseconds. */
export const PATIENCE_MS = 5_000;

/**
 * Options of an error that refuses work after it waited in vain. The code of the cause makes `isDatabaseAway` true:
 * nothing was written, and a retry may succeed.
 */
export function noTurn(reason: string): { retryAfter: number; cause: Error } {
  return { retryAfter: 1, cause: Object.assign(new Error(reason), { code: 'NO_TURN' }) };
}

/** Refuses a response that waited for memory in vain. @throws AppError `rate_limited`. */
export function noRoom(): never {
  const message =
    'The account has too many large responses in progress or unread. Read them, or request less at a time.';
  throw new AppError('rate_limited', message, noTurn('No memory for responses in time.'));
}

/** The error for a request that waits although its client has left. */
export function abandoned(): AppError {
  return new AppError('unavailable', 'The client disconnected while the request waited.', noTurn('No client left.'));
}
