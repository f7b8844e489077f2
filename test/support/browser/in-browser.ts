import { foundForRun, WITHOUT_BROWSER } from './chromium-of-run.js';

/** `describe` for tests in a browser. Where none starts they are skipped, and the last lines of the run count them. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (foundForRun().chromium !== undefined) describe(name, tests);
  else describe.skip(`${name} ${WITHOUT_BROWSER}`, tests);
}
