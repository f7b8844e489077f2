import '@swc-node/register/esm-register';

const { foundForRun, WITHOUT_BROWSER } = await import('../browser/chromium-of-run.ts');

/** The end of the name of tests that need a program, which `describeWith` adds where it is missing. */
const WITHOUT_PROGRAM = /\(without (.*)\)$/;

let inBrowser = 0;
let byProgram = {};

/** A reporter of Jest that counts the tests that were skipped because no browser starts or a program is missing. */
export default class Skipped {
  onRunComplete(_contexts, { testResults }) {
    const tests = testResults.flatMap((file) => file.testResults).filter(({ status }) => status === 'pending');
    const among = (matches) => tests.filter(({ ancestorTitles }) => ancestorTitles.some(matches));
    inBrowser = among((title) => title.endsWith(WITHOUT_BROWSER)).length;
    const programs = tests.flatMap(({ ancestorTitles }) =>
      ancestorTitles.flatMap((title) => WITHOUT_PROGRAM.exec(title)?.[1] ?? []),
    );
    byProgram = Object.groupBy(programs, (program) => program);
  }
}

/** Prints the last lines of a run with skipped tests; for its teardown, which comes after the summary. */
export function tellSkipped() {
  for (const [program, tests] of Object.entries(byProgram)) {
    console.error(`\nNot run: ${tests.length} tests of clients, since ${program} is missing here.`);
  }
  if (inBrowser === 0) return;
  console.error(`
Skipped: ${inBrowser} tests in a browser, since no Chromium starts here.
${foundForRun()
  .faults.map((fault) => `  ${fault}`)
  .join('\n')}
Linux x64 needs nothing but npm ci; elsewhere install Chromium or Chrome, or name one in CHROMIUM_PATH.`);
}
