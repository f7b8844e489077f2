// Fails when a suite left tests out where all of them can run: on Linux x64 the packages bring the browser too. Tests of
// clients that need a program of the machine (`describeWith`) are left out where it is missing; the run says so.
import { lastResults } from './results.mjs';

const isPending = ({ status }) => status === 'pending';
const needsProgram = ({ ancestorTitles }) => ancestorTitles.some((title) => / \(without .+\)$/.test(title));

const skipped = lastResults(process.argv.slice(2))
  .flatMap(({ assertionResults }) => assertionResults)
  .filter((test) => isPending(test) && !needsProgram(test)).length;
if (process.platform === 'linux' && process.arch === 'x64' && skipped > 0) {
  console.error(`${skipped} tests were skipped; npm ci brings all that they need.`);
  process.exitCode = 1;
}
