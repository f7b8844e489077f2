import { type Browser } from 'playwright-core';
import { launch } from '../../../scripts/chromium/chromium.js';
import { findChromium, type Search } from '../../../scripts/chromium/find-chromium.js';

/** The variable that passes the browser from the set-up of a run to its workers. */
const VARIABLE = 'TEST_CHROMIUM';

/** The suffix of tests that are skipped because no browser starts. */
export const WITHOUT_BROWSER = '(no browser)';

/** Finds the browser for all test files of this run; a packaged one is unpacked into `folder`. */
export async function findForRun(folder: string): Promise<void> {
  const found = await findChromium(folder);
  process.env[VARIABLE] = JSON.stringify(found);
  // Reports a run with another browser than the configured one.
  for (const fault of found.chromium ? found.faults : []) console.error(`Not the browser of this run: ${fault}`);
}

/** The browser of this run, or the reasons why none starts. */
export function foundForRun(): Search {
  return JSON.parse(process.env[VARIABLE] ?? '{"faults":[]}') as Search;
}

/** Starts a new browser for a test file. */
export function launchChromium(): Promise<Browser> {
  const { chromium } = foundForRun();
  if (chromium === undefined) throw new Error('What needs a browser belongs into describeInBrowser.');
  return launch(chromium);
}
