import { jest } from '@jest/globals';
import { foundForRun, WITHOUT_BROWSER } from './chromium-of-run.js';

/** A browser renders without a graphics card, beside other tests. */
const TEST_MS = 180_000;

/** `describe` for tests in a browser. Where none starts they are skipped, and the last lines of the run count them. */
export function describeInBrowser(name: string, tests: () => void): void {
  jest.setTimeout(TEST_MS);
  if (foundForRun().chromium !== undefined) describe(name, tests);
  else describe.skip(`${name} ${WITHOUT_BROWSER}`, tests);
}
