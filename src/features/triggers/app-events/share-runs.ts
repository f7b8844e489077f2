import { MAX_RUNS_AT_ONCE } from './fan-outs.js';

/** Runs that one transaction makes of all events that share it. */
const MAX_RUNS_TOGETHER = 2_000;

/**
 * How many runs of each event are made at once, where it fires so many: at most 500 of one. Events that fire few come
 * first, so that those that fire many delay none of their neighbours' runs.
 */
export function shareRuns(counts: readonly number[]): number[] {
  const shares = counts.map(() => 0);
  let left = MAX_RUNS_TOGETHER;
  const ascending = counts.map((count, place) => ({ count, place })).sort((a, b) => a.count - b.count);
  for (const { count, place } of ascending) {
    const share = Math.min(count, MAX_RUNS_AT_ONCE, left);
    shares[place] = share;
    left -= share;
  }
  return shares;
}
