/** What part of their numbers the long forms take: all, or `LONG_SCALE` of them, so that `.ci/run` runs the same code. */
const SCALE = Number(process.env.LONG_SCALE ?? 1);

/** A number of a long form, at the scale of this run; `least` is what still tests something. */
export function scaled(count: number, least: number): number {
  return Math.max(least, Math.round(count * SCALE));
}
