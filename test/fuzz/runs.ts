import type fc from 'fast-check';
import { scaled } from '../support/runner/long-scale.js';

/** Runs of each property. `npm test` takes a few; `FUZZ_RUNS=2000 npm run test:long -- test/fuzz` takes many. */
const SHORT_RUNS = 8;
const LONG_RUNS = scaled(400, 1);
/** Runs in `npm test` of all properties that differ in their route or root field alone: more of these take no longer. */
const SHARED_RUNS = 240;

/**
 * The settings of a property: what fails tells its seed and path, which `FUZZ_SEED` and `FUZZ_PATH` repeat.
 * @param alike how many properties share the runs of `npm test`; each has two at least
 */
export function settings(isLong: boolean, alike = 1): fc.Parameters<unknown> {
  const { FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;
  const shortRuns = Math.max(2, Math.min(SHORT_RUNS, Math.floor(SHARED_RUNS / alike)));
  return {
    numRuns: Number(FUZZ_RUNS ?? (isLong ? LONG_RUNS : shortRuns)),
    // What exists changes with each run, so a smaller case would be checked in another world.
    endOnFailure: true,
    ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
    ...(FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH }),
  };
}
