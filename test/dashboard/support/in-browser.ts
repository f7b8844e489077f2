import { jest } from '@jest/globals';
import { chromiumPath } from '../../examples/chromium.js';

/** A browser draws without a graphics card, beside other tests. */
const TEST_MS = 180_000;

/** `describe` for what needs a browser; without one the tests say that they are skipped, and how to get one. */
export function describeInBrowser(name: string, tests: () => void): void {
  jest.setTimeout(TEST_MS);
  if (chromiumPath !== undefined) return describe(name, tests);
  const how = 'no Chromium here: `apt-get install chromium-headless-shell`, or name one in CHROMIUM_PATH';
  process.stderr.write(`Skipped: ${name} (${how}).\n`);
  describe.skip(`${name} (${how})`, tests);
}
