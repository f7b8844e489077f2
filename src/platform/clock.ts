/** The source of the current time. Tests move it together with SQL's `clock_now()`, so that days pass in a moment. */
export interface Clock {
  now(): Date;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() };
