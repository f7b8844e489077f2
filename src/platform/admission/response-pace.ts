/** The responses that a sender gets without delay, and the rate a second of those after them. */
export interface DelayRate {
  atOnce: number;
  perSecond: number;
}

export const REFUSALS: DelayRate = { atOnce: 100, perSecond: 50 };
/** Of a network’s requests that need no key: a page with its files is 10 to 25 of them. */
export const KEYLESS: DelayRate = { atOnce: 300, perSecond: 200 };
/**
 * Delays beyond the longest one lie between these two, at random: connections that are refused together must not come
 * back together.
 */
export const LONG_MS = 500;
export const LONGEST_MS = 1_000;
/** Beyond this many senders those whose refusals lie far enough back are forgotten. */
const SWEEP_SIZE = 10_000;

/**
 * Counts the responses to each sender, and says how long to hold them back: refusals (429, 401, unknown tokens), and
 * what needs no key. A refusal takes the event loop nearly as long as another response: without a delay a few
 * connections that ignore `Retry-After` keep a process busy.
 */
export class ResponsePace {
  /** When the rate will have made up for the responses to each sender, in milliseconds. */
  private readonly paidAt = new Map<string, number>();
  private sweptAt = -Infinity;

  constructor(
    private readonly rate = REFUSALS,
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /** Counts a response. @returns its delay in milliseconds, for `holdMs` of its error. */
  next(sender: string): number {
    const now = this.now();
    if (this.paidAt.size >= SWEEP_SIZE && now - this.sweptAt >= LONGEST_MS) this.sweep(now);
    const interval = 1_000 / this.rate.perSecond;
    const paid = Math.max(now, this.paidAt.get(sender) ?? now) + interval;
    const free = this.rate.atOnce * interval;
    const most = free + LONGEST_MS;
    this.paidAt.set(sender, Math.min(paid, now + most));
    if (paid - now > most) return Math.round(LONG_MS + this.random() * (LONGEST_MS - LONG_MS));
    return Math.max(0, Math.round(paid - now - free));
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [sender, paid] of this.paidAt) if (paid <= now) this.paidAt.delete(sender);
  }
}
