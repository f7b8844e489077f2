import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  // The same engine without the parts of a window, at two thirds of the work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Where a Chromium or Chrome is on this machine; undefined when there is none. `CHROMIUM_PATH` names another. */
export const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path));

/** A real browser without a window. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no browser here: set CHROMIUM_PATH.');
  // Its sandbox needs privileges that containers don't give; it meets no page but ours.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  return chromium.launch({ executablePath: chromiumPath, args });
}
