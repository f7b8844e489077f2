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
  /** Those that wait, by account: accounts in the order of their turns, those of one in the order of arrival. */
  private readonly waiting = new Map<string, Set<Waiter>>();
  /** The accounts that wait and hold nothing. */
  private readonly strangers = new Set<string>();
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
    return new Set(this.waiting.keys());
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
   * Takes a part, or waits for it: accounts take turns, and each keeps its order. @returns the function that gives it back, once. @throws the
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
   * A waiting account that holds a part lets others pass; one that holds nothing is never passed. Looks at the first
   * waiter of each account alone, and an account that was served goes to the end, where the loop meets it again.
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

  /** Whether a waiter must not be passed: one of the same account, or one whose account holds nothing. */
  private isBehind(who: string): boolean {
    return this.strangers.size > 0 || this.waiting.has(who);
  }

  protected fits(who: string, amount: number): boolean {
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
    this.note(who);
  }
}
