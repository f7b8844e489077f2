const TICK_MS = 10;

/**
 * The time in which this process and its servers actually run: it stands still while a busy machine gives them no CPU.
 * Tests compare it, instead of real time, with promised limits; it is never longer.
 */
export class LivedTime {
  private ticks = 0;
  private readonly timer = setInterval(() => (this.ticks += 1), TICK_MS);

  /** The milliseconds since its creation. */
  get milliseconds(): number {
    return this.ticks * TICK_MS;
  }

  /** Stops the count. @returns its milliseconds. */
  stop(): number {
    clearInterval(this.timer);
    return this.milliseconds;
  }
}
