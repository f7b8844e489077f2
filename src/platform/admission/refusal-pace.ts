/** The refusals that a sender gets without delay, and the rate a second of those after them. */
export const AT_ONCE = 100;
export const PER_SECOND = 50;
const INTERVAL_MS = 1_000 / PER_SECOND;
/**
 * Delays beyond the longest one lie between these two, at random: connections that are refused together must not come
 * back together.
 */
export const LONG_MS = 500;
export const LONGEST_MS = 1_000;
/** Beyond this many senders those whose refusals lie far enough back are forgotten. */
const SWEEP_SIZE = 10_000;

/**
 * Counts the refusals (429, 401, unknown tokens) of each sender, and says how long to hold them back. A refusal takes
 * the event loop nearly as long as a response: without a delay a few connections that ignore `Retry-After` keep a
 * process busy.
 */
export class RefusalPace {
  /** When the rate will have made up for the refusals of each sender, in milliseconds. */
  private readonly paidAt = new Map<string, number>();
  private sweptAt = -Infinity;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /** Counts a refusal. @returns its delay in milliseconds, for `holdMs` of its error. */
  next(sender: string): number {
    const now = this.now();
    if (this.paidAt.size >= SWEEP_SIZE && now - this.sweptAt >= LONGEST_MS) this.sweep(now);
    const paid = Math.max(now, this.paidAt.get(sender) ?? now) + INTERVAL_MS;
    const most = AT_ONCE * INTERVAL_MS + LONGEST_MS;
    this.paidAt.set(sender, Math.min(paid, now + most));
    if (paid - now > most) return Math.round(LONG_MS + this.random() * (LONGEST_MS - LONG_MS));
    return Math.max(0, Math.round(paid - now - AT_ONCE * INTERVAL_MS));
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [sender, paid] of this.paidAt) if (paid <= now) this.paidAt.delete(sender);
  }
}
