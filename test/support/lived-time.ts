const TICK_MS = 10;

/**
 * The time that this process, and the servers in it, are given: it stands still while a busy machine gives them none. What
 * a test holds against a limit of the contract in place of real time; always less than that.
 */
export class LivedTime {
  private ticks = 0;
  private readonly timer = setInterval(() => (this.ticks += 1), TICK_MS);

  /** Milliseconds since it was made. */
  get milliseconds(): number {
    return this.ticks * TICK_MS;
  }

  /** Ends the count. @returns its milliseconds. */
  stop(): number {
    clearInterval(this.timer);
    return this.milliseconds;
  }
}
