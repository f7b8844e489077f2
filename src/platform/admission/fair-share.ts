/** An account may hold this many times the free amount: alone it may hold two thirds of the whole. */
const SHARE = 2;

/** A request for a part that waits in the queue. */
interface Waiter {
  who: string;
  amount: number;
  grant(): void;
}

/**
 * A fixed amount of a resource (bytes, places), shared by account. A new account always finds some free, because no
 * account holds more than twice the free amount (dynamic thresholds, Choudhury and Hahne 1998).
 */
export class FairShare {
  private readonly held = new Map<string, number>();
  /**
   * Waiting requests by account: accounts in the order of their turns, requests of one account in the order of arrival.
   */
  private readonly waiting = new Map<string, Set<Waiter>>();
  /** Accounts that wait and hold nothing. */
  private readonly strangers = new Set<string>();
  private used = 0;

  constructor(private readonly size: number) {}

  /** The amount that all accounts hold now. */
  get inUse(): number {
    return this.used;
  }

  /** The amount that one account holds now. */
  heldBy(who: string): number {
    return this.held.get(who) ?? 0;
  }

  /** Accounts with waiting requests. */
  get waiters(): ReadonlySet<string> {
    return new Set(this.waiting.keys());
  }

  /** Whether an account is within its share; an account that holds nothing is. */
  hasRoom(who: string): boolean {
    return this.fits(who, 0);
  }

  /** Waits until `hasRoom`. @throws the signal's reason when it aborts first. */
  async room(who: string, signal: AbortSignal): Promise<void> {
    if (!this.hasRoom(who)) (await this.take(who, 0, signal))();
  }

  /** Counts a part that exists already, even beyond the share: `room` then waits until it is released. */
  hold(who: string, amount: number): () => void {
    this.add(who, amount);
    return this.giverOf(who, amount);
  }

  /** Takes a part at once. @returns the function that releases it, once; undefined when it does not fit now. */
  tryTake(who: string, amount: number): (() => void) | undefined {
    if (!this.fits(who, amount) || this.isBehind(who)) return undefined;
    this.add(who, amount);
    return this.giverOf(who, amount);
  }

  /**
   * Takes a part, or waits for it: accounts take turns, and each keeps its order. @returns the function that releases
   * it, once. @throws the signal's reason when it aborts first.
   */
  async take(who: string, amount: number, signal: AbortSignal): Promise<() => void> {
    await this.admit(who, amount, signal);
    return this.giverOf(who, amount);
  }

  /** Takes several parts together that are released one by one. @returns one function for each; otherwise as `take`. */
  async takeParts(who: string, amounts: readonly number[], signal: AbortSignal): Promise<(() => void)[]> {
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    await this.admit(who, sum, signal);
    return amounts.map((amount) => this.giverOf(who, amount));
  }

  private giverOf(who: string, amount: number): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(who, -amount);
      this.serve();
    };
  }

  private async admit(who: string, amount: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.fits(who, amount) && !this.isBehind(who)) this.add(who, amount);
    else await this.turn(who, amount, signal);
  }

  private turn(who: string, amount: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.unqueue(waiter);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        end();
        reject(signal.reason as Error);
        this.serve();
      };
      const waiter: Waiter = {
        who,
        amount,
        grant: () => {
          end();
          this.add(who, amount);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.enqueue(waiter);
    });
  }

  private enqueue(waiter: Waiter): void {
    const queue = this.waiting.get(waiter.who);
    if (queue === undefined) this.waiting.set(waiter.who, new Set([waiter]));
    else queue.add(waiter);
    this.note(waiter.who);
  }

  private unqueue(waiter: Waiter): void {
    const queue = this.waiting.get(waiter.who);
    queue?.delete(waiter);
    if (queue?.size === 0) this.waiting.delete(waiter.who);
    this.note(waiter.who);
  }

  private note(who: string): void {
    if (this.waiting.has(who) && !this.held.has(who)) this.strangers.add(who);
    else this.strangers.delete(who);
  }

  /**
   * Serves waiting requests. Others may overtake a waiting account that holds a part, but never one that holds nothing.
   * Only the first request of each account is considered; a served account goes to the end, where the loop meets it
   * again.
   */
  private serve(): void {
    for (const [who, queue] of this.waiting) {
      const [first] = queue;
      if (this.fits(who, first!.amount)) {
        this.waiting.delete(who);
        this.waiting.set(who, queue);
        first!.grant();
      } else if (this.strangers.has(who)) return;
    }
  }

  /** Whether an earlier request goes first: one of the same account, or one of an account that holds nothing. */
  private isBehind(who: string): boolean {
    return this.strangers.size > 0 || this.waiting.has(who);
  }

  protected fits(who: string, amount: number): boolean {
    // Even a part larger than the whole is granted once nothing else is held.
    if (this.used === 0) return true;
    // Other accounts may hold more than the whole (see `hold`): that must not block this one.
    if (amount === 0 && !this.held.has(who)) return true;
    return (this.held.get(who) ?? 0) + amount <= SHARE * (this.size - this.used - amount);
  }

  private add(who: string, amount: number): void {
    const left = (this.held.get(who) ?? 0) + amount;
    if (left === 0) this.held.delete(who);
    else this.held.set(who, left);
    this.used += amount;
    this.note(who);
  }
}
