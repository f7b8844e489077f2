// `npm run screenshots`: starts the real service with the data of a small company and takes pictures of the main pages
// into docs/images, with the browser of the tests. Names as arguments select pictures.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './chromium/chromium.ts';
import { findChromium } from './chromium/find-chromium.ts';
import { fillWithDemo } from './screenshots/demo.mjs';
import { startService } from './screenshots/service.mjs';

const folder = join(import.meta.dirname, '../docs/images');
const MAX_BYTES = 150_000;

/** Opens the card of an action, or the row of a step. */
const unfold = (name) => (page) =>
  page.locator('button[aria-expanded=false]').filter({ hasText: name }).first().click();
const seen = (find) => (page) => find(page).first().waitFor();

/** Each picture: its path, the wait or click before it is taken, and the colour scheme. */
const pictures = ({ orders, run }) => [
  { name: 'overview', path: '/', ready: seen((page) => page.getByRole('slider')) },
  { name: 'overview-dark', path: '/?range=30d', ready: seen((page) => page.getByRole('slider')), colorScheme: 'dark' },
  { name: 'workflow', path: `/workflows/${orders}`, ready: unfold('contact') },
  { name: 'run', path: `/runs/${run}`, ready: unfold('contact') },
  { name: 'integrations', path: '/integrations', ready: seen((page) => page.getByText('Acme CRM')) },
  { name: 'sign-in', path: '/sign-in', ready: seen((page) => page.getByLabel('Email')), signedOut: true },
];

const unpacked = mkdtempSync(join(tmpdir(), 'screenshots-'));
let service, browser;
try {
  const asked = process.argv.slice(2);
  const { chromium, faults } = await findChromium(unpacked);
  if (chromium === undefined) throw new Error(`No Chromium starts here:\n${faults.join('\n')}`);
  service = await startService();
  const demo = await fillWithDemo(service);
  const orders = demo.workflows[0].id;
  const { runs } = await service.graphql(
    `query ($id: ID) { runs(workflowId: $id, status: SUCCEEDED, perPage: 100) { items { id steps { name } } } }`,
    { id: orders },
  );
  const run = runs.items.find(({ steps }) => steps.length === 3).id;
  browser = await launch(chromium, ['--font-render-hinting=none']);
  mkdirSync(folder, { recursive: true });
  for (const picture of pictures({ orders, run })) {
    if (asked.length === 0 || asked.includes(picture.name)) await take(picture);
  }
} finally {
  await browser?.close();
  await service?.close();
  rmSync(unpacked, { recursive: true, force: true });
}

async function take({ name, path, ready, colorScheme = 'light', signedOut = false }) {
  const { baseUrl, cookie } = service;
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width: 1440, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Zurich',
  });
  const at = cookie.indexOf('=');
  if (!signedOut) {
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: baseUrl }]);
  }
  const page = await context.newPage();
  await page.goto(path);
  await ready(page);
  // Waits for further requests of the page; its socket stays open.
  await page.waitForLoadState('networkidle');
  await page.locator('[class*=Skeleton-root]').first().waitFor({ state: 'detached' });
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  const { size } = statSync(file);
  console.log(`${name}.png ${Math.ceil(size / 1000)} kB`);
  if (size > MAX_BYTES) throw new Error(`${name}.png is larger than ${MAX_BYTES / 1000} kB.`);
}
