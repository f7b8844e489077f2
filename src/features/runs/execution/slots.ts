/** An account may use this many times the free slots; a single account then gets two thirds of all. */
const SHARE = 2;

/** The number of jobs to fetch now, and the accounts to leave out. */
export interface Plan {
  count: number;
  except: string[];
}

/**
 * The slots of a process for running runs, counted by account. An account may use twice as many slots as are free. So
 * some are always left for another account, however long the runs take (dynamic thresholds, Choudhury and Hahne 1998).
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

  /** The largest fetch that keeps every account within its share, whichever accounts the jobs belong to. */
  plan(most: number): Plan {
    const newcomer = this.roomOf(0);
    const except: string[] = [];
    let count = Math.min(most, newcomer);
    for (const [account, held] of this.held) {
      const room = this.roomOf(held);
      // With `room < 1` alone, batches would shrink to single runs.
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
