// Prints how many tests of a run passed and failed, of the results that Jest wrote.
import { readFileSync } from 'node:fs';

const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
// A file that could not even be loaded has no tests to count: it is one failure.
console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
