// `npm run test:firefox`: follows the main path of a new user in the Firefox of this machine, against the real service:
// set-up link, example, run with a result. Prints the path of a picture of the end. Debian: apt-get install firefox-esr.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { startEmptyService } from './screenshots/service.mjs';

/** No step takes longer, on a busy machine either. */
const PATIENCE_MS = 180_000;
const PICTURE = join(tmpdir(), 'workflow-gateway-firefox.png');

let service, browser;
let step = 'start';
try {
  const executablePath = findFirefox();
  service = await startEmptyService();
  // Playwright drives only builds of its own, or newer ones than Debian's.
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: PATIENCE_MS });
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  try {
    await followMainPath(page, await service.server.newSetUpLink());
  } finally {
    await page.screenshot({ path: PICTURE });
  }
  if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`);
  console.log(`test:firefox: passed in ${await browser.version()}; ${PICTURE}`);
} catch (error) {
  console.error(`test:firefox: ${step}: ${error.message}\n${PICTURE} has the page.`);
  process.exitCode = 1;
} finally {
  await browser?.close();
  await service?.close();
}

async function followMainPath(page, setUpLink) {
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewport({ width: 1440, height: 900 });
  step = 'set-up link';
  await page.goto(setUpLink, { waitUntil: 'domcontentloaded' });
  await fill(page, 'name', 'Ada Lovelace');
  await fill(page, 'email', 'ada@acme.example');
  await fill(page, 'password', 'correct horse battery');
  await page.keyboard.press('Enter');
  step = 'example';
  await press(page, 'Create an example');
  step = 'run';
  await press(page, 'Run test');
  await page.locator('section ::-p-text(Succeeded)').wait();
  step = 'result';
  const text = await page.evaluate(() => globalThis.document.querySelector('main').innerText);
  if (!/large order[^]*contact/.test(text)) throw new Error(`The result shows no steps: ${text}`);
}

/** By the field's name: Firefox has no role for a password. */
function fill(page, name, text) {
  return page.locator(`input[name=${name}]`).fill(text);
}

function press(page, name) {
  return page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
}

/** `FIREFOX_PATH`, or the first Firefox of the machine. @throws Error without one. */
function findFirefox() {
  const named = process.env.FIREFOX_PATH;
  if (named !== undefined) return named;
  const found = spawnSync('which', ['firefox-esr', 'firefox'], { encoding: 'utf8' }).stdout.split('\n', 1)[0];
  if (found === '') throw new Error('There is no Firefox here. Install one, or name it in FIREFOX_PATH.');
  return found;
}
