/** Where code reads the time. Tests move it together with SQL's `clock_now()`, so that days pass in a moment. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
