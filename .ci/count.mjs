// Names the unsteady files, and prints how many tests of all suites passed and failed, of the results that Jest wrote.
import { hasFailed, lastResults, unsteadyFiles } from './results.mjs';

const paths = process.argv.slice(2);
const count = (results, status) =>
  results.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;

const results = lastResults(paths);
const passed = count(results, 'passed');
// A file that failed without a failed test, because it could not be loaded, is one failure.
const failed = results.filter(hasFailed).reduce((total, result) => total + Math.max(1, count([result], 'failed')), 0);

for (const { name } of unsteadyFiles(paths)) console.log(`unsteady: ${name} failed, and passed by itself.`);
console.log(`${passed} passed, ${failed} failed`);
