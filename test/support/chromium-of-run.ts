import { type Browser } from 'playwright-core';
import { launch } from '../../scripts/chromium/chromium.js';
import { findChromium, type Search } from '../../scripts/chromium/find-chromium.js';

/** How the environment hands what was found from the set-up of a run to its workers. */
const VARIABLE = 'TEST_CHROMIUM';

/** Ends the name of what is skipped because no browser starts. */
export const WITHOUT_BROWSER = '(no browser)';

/** Finds the browser for all test files of this run; what has to be unpacked goes into `folder`. */
export async function findForRun(folder: string): Promise<void> {
  const found = await findChromium(folder);
  process.env[VARIABLE] = JSON.stringify(found);
  // A run in another browser than the named one should not go unnoticed.
  for (const fault of found.chromium ? found.faults : []) console.error(`Not the browser of this run: ${fault}`);
}

/** The browser of this run, or why there is none. */
export function foundForRun(): Search {
  return JSON.parse(process.env[VARIABLE] ?? '{"faults":[]}') as Search;
}

/** A new browser for a test file. */
export function launchChromium(): Promise<Browser> {
  const { chromium } = foundForRun();
  if (chromium === undefined) throw new Error('What needs a browser belongs into describeInBrowser.');
  return launch(chromium);
}
