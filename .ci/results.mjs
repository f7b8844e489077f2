// What Jest wrote of the suites' runs: the results of each test file, of its second run when it had one.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The results of one run. The first and the second run of a suite are `test-long.json` and `test-long.second.json`. */
const read = (path) => {
  const [suite] = basename(path).split('.');
  return JSON.parse(readFileSync(path, 'utf8')).testResults.map((result) => ({ ...result, suite }));
};

// A file may belong to two suites.
const keyOf = ({ suite, name }) => `${suite} ${name}`;

/** The results of all files: `paths` in the order of the runs, so that a second run replaces the first. */
export const lastResults = (paths) => [
  ...new Map(paths.flatMap(read).map((result) => [keyOf(result), result])).values(),
];

/** Files that failed at first and passed by themselves. */
export const unsteadyFiles = (paths) => {
  const failedOnce = new Set(paths.flatMap(read).filter(hasFailed).map(keyOf));
  return lastResults(paths).filter((result) => failedOnce.has(keyOf(result)) && !hasFailed(result));
};

/** A file that could not even be loaded has no tests, and failed. */
export const hasFailed = ({ status }) => status === 'failed';
