/** An account may hold this many times the free amount: alone it may hold two thirds of the whole. */
const SHARE = 2;

/** A request for a part that waits in the queue. */
interface Waiter {
  holder: string;
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

  /** `floor`: what each account may hold in any case, however much others hold. */
  constructor(
    private readonly size: number,
    private readonly floor = 0,
  ) {}

  /** The amount that all accounts hold now. */
  get inUse(): number {
    return this.used;
  }

  /** The amount that one account holds now. */
  heldBy(holder: string): number {
    return this.held.get(holder) ?? 0;
  }

  /** Accounts with waiting requests. */
  get waiters(): ReadonlySet<string> {
    return new Set(this.waiting.keys());
  }

  /** Whether an account is within its share; an account that holds nothing is. */
  hasRoom(holder: string): boolean {
    return this.fits(holder, 0);
  }

  /** Waits until `hasRoom`. @throws the signal's reason when it aborts first. */
  async room(holder: string, signal: AbortSignal): Promise<void> {
    if (!this.hasRoom(holder)) (await this.take(holder, 0, signal))();
  }

  /** Counts a part that exists already, even beyond the share: `room` then waits until it is released. */
  hold(holder: string, amount: number): () => void {
    this.add(holder, amount);
    return this.giverOf(holder, amount);
  }

  /** Takes a part at once. @returns the function that releases it, once; undefined when it does not fit now. */
  tryTake(holder: string, amount: number): (() => void) | undefined {
    if (!this.admits(holder, amount)) return undefined;
    this.add(holder, amount);
    return this.giverOf(holder, amount);
  }

  /**
   * Takes a part, or waits for it: accounts take turns, and each keeps its order. @returns the function that releases
   * it, once. @throws the signal's reason when it aborts first.
   */
  async take(holder: string, amount: number, signal: AbortSignal): Promise<() => void> {
    await this.admit(holder, amount, signal);
    return this.giverOf(holder, amount);
  }

  /** Takes several parts together that are released one by one. @returns one function for each; otherwise as `take`. */
  async takeParts(holder: string, amounts: readonly number[], signal: AbortSignal): Promise<(() => void)[]> {
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    await this.admit(holder, sum, signal);
    return amounts.map((amount) => this.giverOf(holder, amount));
  }

  private giverOf(holder: string, amount: number): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(holder, -amount);
      this.serve();
    };
  }

  private async admit(holder: string, amount: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.admits(holder, amount)) this.add(holder, amount);
    else await this.turn(holder, amount, signal);
  }

  private turn(holder: string, amount: number, signal: AbortSignal): Promise<void> {
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
        holder,
        amount,
        grant: () => {
          end();
          this.add(holder, amount);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.enqueue(waiter);
    });
  }

  private enqueue(waiter: Waiter): void {
    const queue = this.waiting.get(waiter.holder);
    if (queue === undefined) this.waiting.set(waiter.holder, new Set([waiter]));
    else queue.add(waiter);
    this.note(waiter.holder);
  }

  private unqueue(waiter: Waiter): void {
    const queue = this.waiting.get(waiter.holder);
    queue?.delete(waiter);
    if (queue?.size === 0) this.waiting.delete(waiter.holder);
    this.note(waiter.holder);
  }

  private note(holder: string): void {
    if (this.waiting.has(holder) && !this.held.has(holder)) this.strangers.add(holder);
    else this.strangers.delete(holder);
  }

  /**
   * Serves waiting requests. Others may overtake a waiting account that holds a part, but never one that holds nothing.
   * Only the first request of each account is considered; a served account goes to the end, where the loop meets it
   * again.
   */
  private serve(): void {
    let isBehindStranger = false;
    for (const [holder, queue] of this.waiting) {
      const [first] = queue;
      const fits = isBehindStranger ? this.isInFloor(holder, first!.amount) : this.fits(holder, first!.amount);
      if (fits) {
        this.waiting.delete(holder);
        this.waiting.set(holder, queue);
        first!.grant();
      } else if (this.strangers.has(holder)) {
        if (this.floor === 0) return;
        isBehindStranger = true;
      }
    }
  }

  /**
   * Whether a new request is granted at once. An earlier one goes first: one of the same account, or one of an account
   * that holds nothing.
   */
  private admits(holder: string, amount: number): boolean {
    if (this.waiting.has(holder)) return false;
    return this.strangers.size === 0 ? this.fits(holder, amount) : this.isInFloor(holder, amount);
  }

  private isInFloor(holder: string, amount: number): boolean {
    return this.heldBy(holder) + amount <= this.floor;
  }

  protected fits(holder: string, amount: number): boolean {
    // Even a part larger than the whole is granted once nothing else is held.
    if (this.used === 0) return true;
    // Other accounts may hold more than the whole (see `hold`): that must not block this one.
    if (this.isInFloor(holder, amount)) return true;
    return (this.held.get(holder) ?? 0) + amount <= SHARE * (this.size - this.used - amount);
  }

  private add(holder: string, amount: number): void {
    const left = (this.held.get(holder) ?? 0) + amount;
    if (left === 0) this.held.delete(holder);
    else this.held.set(holder, left);
    this.used += amount;
    this.note(holder);
  }
}
