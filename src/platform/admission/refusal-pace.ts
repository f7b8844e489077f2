import { setTimeout as sleep } from 'node:timers/promises';
import { type AppError } from '../errors.js';

/** The refusals that a sender gets without delay, and the rate a second of those after them. */
export const AT_ONCE = 100;
export const PER_SECOND = 50;
const INTERVAL_MS = 1_000 / PER_SECOND;
/** The longest delay of a refusal. */
export const LONGEST_MS = 1_000;
/** Beyond this many senders those that get their next refusal without delay are forgotten. */
const SWEEP_SIZE = 10_000;

/**
 * Delays the refusals of senders that repeat refused requests without a pause (429, 401). A refusal costs the event
 * loop nearly as much as an answer: without a delay a few connections that ignore `Retry-After` keep a process busy.
 */
export class RefusalPace {
  /** When the rate will have made up for the refusals of each sender, in milliseconds. */
  private readonly paidAt = new Map<string, number>();
  private sweptAt = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts a refusal. @returns its delay in milliseconds, for `holdMs` of its error. */
  next(sender: string): number {
    const now = this.now();
    if (this.paidAt.size >= SWEEP_SIZE && now - this.sweptAt >= LONGEST_MS) this.sweep(now);
    const paid = Math.max(now, this.paidAt.get(sender) ?? now) + INTERVAL_MS;
    const owed = Math.min(paid - now, AT_ONCE * INTERVAL_MS + LONGEST_MS);
    this.paidAt.set(sender, now + owed);
    return Math.max(0, Math.round(owed - AT_ONCE * INTERVAL_MS));
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [sender, paid] of this.paidAt) if (paid <= now) this.paidAt.delete(sender);
  }
}

/** Waits until an error may be sent; undefined if it may be now. */
export function heldBack({ options: { holdMs = 0 } }: AppError): Promise<void> | undefined {
  return holdMs === 0 ? undefined : sleep(holdMs);
}
