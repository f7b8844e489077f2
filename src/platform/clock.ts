/** The source of the current time. Tests move it together with SQL's `clock_now()`, so that days pass in a moment. */
export interface Clock {
  now(): Date;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() };

/** The later of two times. For a time that must not precede one from another process, or from before a clock was set back. */
export function laterOf(one: Date, other: Date): Date {
  return one < other ? other : one;
}
