/** The responses that a sender gets without delay, the rate a second of those after them, and the longest delay. */
export interface DelayRate {
  atOnce: number;
  perSecond: number;
  /** In milliseconds. */
  longestMs: number;
}

/** Of an account's refusals because of its rates. */
export const REFUSALS: DelayRate = { atOnce: 100, perSecond: 50, longestMs: 1_000 };
/**
 * Of a network's requests with unknown keys and tokens, or with tokens of waits that are over. A thousand connections send
 * no more than a few hundred a second.
 */
export const STRANGERS: DelayRate = { atOnce: 100, perSecond: 50, longestMs: 4_000 };
/** Of a network’s requests that need no key: a page with its files is 10 to 25 of them. */
export const KEYLESS: DelayRate = { atOnce: 300, perSecond: 200, longestMs: 1_000 };
/** The same, so that hundreds that arrive together leave time for others in between. */
export const KEYLESS_TOGETHER: DelayRate = { atOnce: 25, perSecond: 1_000, longestMs: 1_000 };
/** The same without WebSockets, for thousands of connections that ask again at once. Thousands of listeners may come back. */
export const KEYLESS_REPEATED: DelayRate = { atOnce: 1_000, perSecond: 300, longestMs: 4_000 };
/** A response that is held for as long as this, in milliseconds, ends its connection. */
export const LONG_MS = 500;
/** Beyond this many senders those whose refusals lie far enough back are forgotten, at most once in this time. */
const SWEEP_SIZE = 10_000;
const SWEEP_MS = 1_000;

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
    if (this.paidAt.size >= SWEEP_SIZE && now - this.sweptAt >= SWEEP_MS) this.sweep(now);
    const interval = 1_000 / this.rate.perSecond;
    const paid = Math.max(now, this.paidAt.get(sender) ?? now) + interval;
    const free = this.rate.atOnce * interval;
    const { longestMs } = this.rate;
    const most = free + longestMs;
    this.paidAt.set(sender, Math.min(paid, now + most));
    // At random: connections that are refused together must not come back together.
    if (paid - now > most) return Math.round((longestMs / 2) * (1 + this.random()));
    return Math.max(0, Math.round(paid - now - free));
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [sender, paid] of this.paidAt) if (paid <= now) this.paidAt.delete(sender);
  }
}

/** Counts responses by several rates. @returns the longest delay of them. */
export function strictest(rates: readonly DelayRate[], now?: () => number): Pick<ResponsePace, 'next'> {
  const paces = rates.map((rate) => new ResponsePace(rate, now));
  return { next: (sender) => Math.max(...paces.map((pace) => pace.next(sender))) };
}
