import { AppError } from './errors.js';

/**
 * Nothing was sent to an application:
 * - `blocked`: it asked to wait, and that time is not over;
 * - `busy`: no slot for a call to its host became free in time.
 */
export type HeldBackBy = 'blocked' | 'busy';

/** A call to a connected application that was not made, and may be made later. */
export class HeldBackError extends AppError {
  constructor(
    readonly by: HeldBackBy,
    message: string,
    /** When to try again, in milliseconds from now. */
    readonly waitMs: number,
  ) {
    super('rate_limited', message, { retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) });
  }
}
