/** How much more than what is left free one may hold: alone two thirds of all. */
const SHARE = 2;

/** A wish that waits for its turn. */
interface Waiter {
  who: string;
  amount: number;
  grant(): void;
}

/**
 * Something of which there is a fixed amount, shared so that whoever comes new finds some: nobody holds more than twice
 * what would be left free (dynamic thresholds, Choudhury and Hahne 1998). What does not fit waits in the order of arrival.
 */
export class FairShare {
  private readonly held = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();
  private used = 0;

  constructor(private readonly size: number) {}

  /** @returns the function that gives it back, once. @throws the signal's reason when it aborts first. */
  async take(who: string, amount: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.fits(who, amount) && !this.isBehind(who)) this.add(who, amount);
    else await this.turn(who, amount, signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.add(who, -amount);
      isHeld = false;
      this.serve();
    };
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

  /** Those who hold something stand aside for others; one who holds nothing is not passed by. */
  private serve(): void {
    for (const waiter of this.waiting) {
      if (this.fits(waiter.who, waiter.amount)) waiter.grant();
      else if (!this.held.has(waiter.who)) return;
    }
  }

  /** Whether somebody waits who must not be passed by: the same one, or one who holds nothing. */
  private isBehind(who: string): boolean {
    for (const waiter of this.waiting) if (waiter.who === who || !this.held.has(waiter.who)) return true;
    return false;
  }

  private fits(who: string, amount: number): boolean {
    // So that what is larger than all of it gets its turn, too.
    if (this.used === 0) return true;
    return (this.held.get(who) ?? 0) + amount <= SHARE * (this.size - this.used - amount);
  }

  private add(who: string, amount: number): void {
    const left = (this.held.get(who) ?? 0) + amount;
    if (left === 0) this.held.delete(who);
    else this.held.set(who, left);
    this.used += amount;
  }
}
