// Prints how many tests of all suites passed and failed, of the results that Jest wrote.
import { readFileSync } from 'node:fs';

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(file, 'utf8'));
  passed += numPassedTests;
  // A file that could not even be loaded has no tests to count: it is one failure.
  failed += numFailedTests + numRuntimeErrorTestSuites;
}
console.log(`${passed} passed, ${failed} failed`);
