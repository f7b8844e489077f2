import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { type OpenOptions, usePages } from '../support/dashboard.js';

const MAX_REQUESTS = 20;
const MAX_BYTES = 220_000;

describeInBrowser('the first load', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
    const account = new Account((await signedIn(server, { account: 'runs' })).client);
    const { hook } = await account.trigger(await account.workflow('Sync invoices'));
    await account.ended(await account.fire(hook));
  });
  afterAll(() => server.close());

  /** Loads a page again with an empty cache. @returns its requests, WebSockets included, and their bytes with headers. */
  async function load(options: OpenOptions, isThere: (page: Page) => Promise<void>): Promise<Load> {
    const { page, context } = await pages.open(server, options);
    await isThere(page);
    const session = await context.newCDPSession(page);
    const urls: string[] = [];
    let bytes = 0;
    session.on('Network.requestWillBeSent', ({ request }) => urls.push(new URL(request.url).pathname));
    session.on('Network.webSocketCreated', ({ url }) => urls.push(url));
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    // Over https browsers take brotli, which is smaller.
    await session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': 'gzip' } });
    await page.reload({ waitUntil: 'networkidle' });
    await isThere(page);
    return { urls, bytes };
  }

  it.each([
    ['/sign-in', { as: false }, (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()],
    ['/', { as: { account: 'runs' } }, (page: Page) => page.getByRole('slider').waitFor()],
    ['/', { as: { account: 'new' } }, (page: Page) => page.getByText('First steps').waitFor()],
  ] as const)('of %s (%j) has at most 20 requests and 220 kB with gzip', async (path, who, isThere) => {
    const { urls, bytes } = await load({ path, ...who }, isThere);
    expect({ bytes, isSmall: bytes <= MAX_BYTES }).toEqual({ bytes, isSmall: true });
    expect({ urls, areFew: urls.length <= MAX_REQUESTS }).toEqual({ urls, areFew: true });
    expect(bytes).toBeGreaterThan(50_000);
  });

  it.each(['light', 'dark'] as const)(
    'paints the name of the service before the code is there, in %s',
    async (colorScheme) => {
      const { page } = await pages.open(server, { path: '/', as: { account: 'new' }, colorScheme });
      const code = Promise.withResolvers<void>();
      await page.route(/\/assets\/(?!color-scheme).*\.js$/, (route) => code.promise.then(() => route.continue()));
      await page.reload({ waitUntil: 'commit' });
      const start = page.locator('#starting');
      await start.getByText('Workflow Gateway').waitFor();
      expect(await axe(page)).toEqual([]);
      const ground = await start.evaluate((element) => getComputedStyle(element).backgroundColor);
      code.resolve();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(await start.count()).toBe(0);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(ground);
    },
  );
});

interface Load {
  urls: string[];
  bytes: number;
}
