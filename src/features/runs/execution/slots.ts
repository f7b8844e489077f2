/** How much more than what is left free an account may hold: alone it gets two thirds of all. */
const SHARE = 2;

/** How many jobs a worker may ask for now, and whose it must not be given. */
export interface Plan {
  count: number;
  except: string[];
}

/**
 * The runs that a process carries out at once, and whose they are. An account may hold twice as many as are free, so
 * that some are left for a newcomer however many are busy, and however long their runs take (dynamic thresholds,
 * Choudhury and Hahne 1998).
 */
export class Slots {
  private readonly held = new Map<string, number>();
  private used = 0;

  constructor(private readonly size: number) {}

  get inUse(): number {
    return this.used;
  }

  take(account: string): void {
    this.held.set(account, (this.held.get(account) ?? 0) + 1);
    this.used += 1;
  }

  release(account: string): void {
    const left = this.held.get(account)! - 1;
    if (left === 0) this.held.delete(account);
    else this.held.set(account, left);
    this.used -= 1;
  }

  /** What may be asked for without anybody getting too much, whosever the jobs turn out to be. */
  plan(most: number): Plan {
    const newcomer = this.roomOf(0);
    const except: string[] = [];
    let count = Math.min(most, newcomer);
    for (const [account, held] of this.held) {
      const room = this.roomOf(held);
      // Not as soon as one is free: batches would shrink to single runs.
      if (room < 1 || room < newcomer / 2) except.push(account);
      else count = Math.min(count, room);
    }
    return { count, except };
  }

  /** The n with `held + n = SHARE * (free - n)`, and at least one while anything is free. */
  private roomOf(held: number): number {
    const free = this.size - this.used;
    return Math.max(held === 0 && free > 0 ? 1 : 0, Math.floor((SHARE * free - held) / (SHARE + 1)));
  }
}
