import { MAX_AT_ONCE } from '../fan-outs.js';

/** The maximum number of runs that one transaction creates for all its events. */
export const MAX_RUNS_TOGETHER = 2_000;

/**
 * How many runs of each event to create at once, from the number of triggers each fires: at most 500 per event. Small
 * events come first, so that large ones delay no runs of others.
 */
export function shareRuns(counts: readonly number[]): number[] {
  const shares = counts.map(() => 0);
  let left = MAX_RUNS_TOGETHER;
  const ascending = counts.map((count, place) => ({ count, place })).sort((a, b) => a.count - b.count);
  for (const { count, place } of ascending) {
    const share = Math.min(count, MAX_AT_ONCE, left);
    shares[place] = share;
    left -= share;
  }
  return shares;
}
