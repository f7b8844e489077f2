import type fc from 'fast-check';
import { scaled } from '../support/runner/long-scale.js';

/** Runs of each property. `npm test` takes a few; `FUZZ_RUNS=2000 npm run test:long -- test/fuzz` takes many. */
const SHORT_RUNS = 8;
const LONG_RUNS = scaled(400, 1);

/** The settings of a property: what fails tells its seed and path, which `FUZZ_SEED` and `FUZZ_PATH` repeat. */
export function settings(isLong: boolean): fc.Parameters<unknown> {
  const { FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;
  return {
    numRuns: Number(FUZZ_RUNS ?? (isLong ? LONG_RUNS : SHORT_RUNS)),
    // What exists changes with each run, so a smaller case would be checked in another world.
    endOnFailure: true,
    ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
    ...(FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH }),
  };
}
