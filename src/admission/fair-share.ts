/** An account may hold this many times what is left free: alone, two thirds of the whole. */
const SHARE = 2;

/** A request for a part that waits for its turn. */
interface Waiter {
  who: string;
  amount: number;
  grant(): void;
}

/**
 * A fixed amount of a resource (bytes, places), shared by account so that a newcomer always finds some: no account holds
 * more than twice what stays free (dynamic thresholds, Choudhury and Hahne 1998).
 */
export class FairShare {
  private readonly held = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();
  private used = 0;

  constructor(private readonly size: number) {}

  /** How much of it all accounts hold now. */
  get inUse(): number {
    return this.used;
  }

  /** How much of it one account holds now. */
  heldBy(who: string): number {
    return this.held.get(who) ?? 0;
  }

  /** The accounts that wait for a part. */
  get waiters(): ReadonlySet<string> {
    return new Set([...this.waiting].map(({ who }) => who));
  }

  /** Whether an account holds no more than it may; one that holds nothing does. */
  hasRoom(who: string): boolean {
    return this.fits(who, 0);
  }

  /** Waits until `hasRoom`. @throws the signal's reason when it aborts first. */
  async room(who: string, signal: AbortSignal): Promise<void> {
    if (!this.hasRoom(who)) (await this.take(who, 0, signal))();
  }

  /** Holds a part that is there already, though it may be too much: `room` then waits until it is given back. */
  hold(who: string, amount: number): () => void {
    this.add(who, amount);
    return this.giverOf(who, amount);
  }

  /** Takes a part at once. @returns the function that gives it back, once; undefined when it does not fit now. */
  tryTake(who: string, amount: number): (() => void) | undefined {
    if (!this.fits(who, amount) || this.isBehind(who)) return undefined;
    this.add(who, amount);
    return this.giverOf(who, amount);
  }

  /**
   * Takes a part, or waits for it in the order of arrival. @returns the function that gives it back, once. @throws the
   * signal's reason when it aborts first.
   */
  async take(who: string, amount: number, signal: AbortSignal): Promise<() => void> {
    await this.admit(who, amount, signal);
    return this.giverOf(who, amount);
  }

  /** Takes parts together, which are given back one by one. @returns the function for each; otherwise as `take`. */
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
        this.waiting.delete(waiter);
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
      this.waiting.add(waiter);
    });
  }

  /** A waiting account that holds a part lets others pass; one that holds nothing is never passed. */
  private serve(): void {
    for (const waiter of this.waiting) {
      if (this.fits(waiter.who, waiter.amount)) waiter.grant();
      else if (!this.held.has(waiter.who)) return;
    }
  }

  /** Whether a waiter must not be passed: one of the same account, or one whose account holds nothing. */
  private isBehind(who: string): boolean {
    for (const waiter of this.waiting) if (waiter.who === who || !this.held.has(waiter.who)) return true;
    return false;
  }

  private fits(who: string, amount: number): boolean {
    // A part that is larger than the whole gets its turn, too.
    if (this.used === 0) return true;
    // Others may hold more than there is, see `hold`: that is none of this account's business.
    if (amount === 0 && !this.held.has(who)) return true;
    return (this.held.get(who) ?? 0) + amount <= SHARE * (this.size - this.used - amount);
  }

  private add(who: string, amount: number): void {
    const left = (this.held.get(who) ?? 0) + amount;
    if (left === 0) this.held.delete(who);
    else this.held.set(who, left);
    this.used += amount;
  }
}
