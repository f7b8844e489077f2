/** The fraction of the numbers in long tests: 1, or `LONG_SCALE`, so that `.ci/run` executes the same code. */
const SCALE = Number(process.env.LONG_SCALE ?? 1);

/** A number of a long test at the scale of this run; `least` is the smallest useful one. */
export function scaled(count: number, least: number): number {
  return Math.max(least, Math.round(count * SCALE));
}
