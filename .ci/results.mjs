// What Jest wrote of the suites' runs: the results of each test file, of its second run when it had one.
import { readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8')).testResults;

/** The results of all files: `paths` in the order of the runs, so that a second run replaces the first. */
export const lastResults = (paths) => [...new Map(paths.flatMap(read).map((result) => [result.name, result])).values()];

/** Files that failed at first and passed by themselves. */
export const unsteadyFiles = (paths) => {
  const failedOnce = new Set(
    paths
      .flatMap(read)
      .filter(hasFailed)
      .map(({ name }) => name),
  );
  return lastResults(paths).filter((result) => failedOnce.has(result.name) && !hasFailed(result));
};

/** A file that could not even be loaded has no tests, and failed. */
export const hasFailed = ({ status }) => status === 'failed';
