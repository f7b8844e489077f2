import '@swc-node/register/esm-register';

const { foundForRun, WITHOUT_BROWSER } = await import('../browser/chromium-of-run.ts');

let skipped = 0;

/** A reporter of Jest that counts the tests that were skipped because no browser starts. */
export default class SkippedInBrowser {
  onRunComplete(_contexts, { testResults }) {
    const tests = testResults.flatMap((file) => file.testResults);
    skipped = tests.filter(
      ({ status, ancestorTitles }) =>
        status === 'pending' && ancestorTitles.some((title) => title.endsWith(WITHOUT_BROWSER)),
    ).length;
  }
}

/** Prints the last lines of a run with skipped tests; for its teardown, which comes after the summary. */
export function tellSkipped() {
  if (skipped === 0) return;
  console.error(`
Skipped: ${skipped} tests in a browser, since no Chromium starts here.
${foundForRun()
  .faults.map((fault) => `  ${fault}`)
  .join('\n')}
Linux x64 needs nothing but npm ci; elsewhere install Chromium or Chrome, or name one in CHROMIUM_PATH.`);
}
