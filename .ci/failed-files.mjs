// Prints the test files that failed in a run, one a line; none when they are so many that they cannot be chance.
import { hasFailed, lastResults } from './results.mjs';

const MOST = 5;
const failed = lastResults(process.argv.slice(2)).filter(hasFailed);
if (failed.length <= MOST) for (const { name } of failed) console.log(name);
