// Prints the long test files with tests of their own, one a line. The others are a few lines that call a test of
// `npm test` with larger numbers.
import { readdirSync, readFileSync } from 'node:fs';

const FEW_LINES = 10;
for (const file of readdirSync('test', { recursive: true })) {
  if (file.endsWith('.long.ts') && readFileSync(`test/${file}`, 'utf8').split('\n').length > FEW_LINES) {
    console.log(`test/${file}`);
  }
}
