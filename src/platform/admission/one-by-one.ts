/** The work of an account that waits. Its account may have none, but used more time than others at the last look. */
interface Lane {
  readonly waiting: (() => Promise<unknown>)[];
  /** The time that the account has used, since it came; in milliseconds, beginning at the `line` of that moment. */
  used: number;
}

/**
 * Runs one piece of work at a time; accounts take turns by the time that their pieces take, and each keeps its order
 * (start-time fair queueing, Goyal, Vin and Cheng 1996). Turns by number would give an account with pieces of 5 ms an
 * eighth of the time of one with pieces of 40 ms.
 */
export class OneByOne {
  /** Of equal ones the first has the next turn. */
  private readonly lanes = new Map<string, Lane>();
  /** The time that an account has used when it comes: not more than those that were served less. */
  private line = 0;
  /** What the account had used whose turn was the last. */
  private served = 0;
  private isBusy = false;

  /** `rest`: follows each piece, which took so many milliseconds. */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly rest?: (milliseconds: number) => Promise<unknown>,
  ) {}

  /** Settles as the work does, once it had its turn. */
  add<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const lane = this.lanes.get(accountId) ?? { waiting: [], used: this.line };
    lane.waiting.push(() => new Promise<T>((begin) => begin(work())).then(resolve, reject));
    this.lanes.set(accountId, lane);
    if (!this.isBusy) void this.loop();
    return promise;
  }

  private async loop(): Promise<void> {
    this.isBusy = true;
    for (let took = 0, next = this.next(took); next !== undefined; next = this.next(took)) {
      const began = this.now();
      await next.waiting.shift()!();
      took = this.now() - began;
      next.used += took;
      await this.rest?.(took);
    }
    this.lanes.clear();
    this.isBusy = false;
  }

  /** The lane that has used the least time, after a piece that `took` so many milliseconds. */
  private next(took: number): Lane | undefined {
    let [name, next, count] = ['', undefined as Lane | undefined, 0];
    for (const [each, lane] of this.lanes) {
      if (lane.waiting.length > 0) {
        count += 1;
        if (next === undefined || lane.used < next.used) [name, next] = [each, lane];
      } else if (lane.used <= this.served) this.lanes.delete(each);
    }
    if (next === undefined) return undefined;
    this.lanes.delete(name);
    this.lanes.set(name, next);
    this.served = next.used;
    // Moves on by the part of each: ever new accounts would otherwise come before those that wait for ever.
    this.line = Math.max(next.used, this.line + took / count);
    return next;
  }
}
