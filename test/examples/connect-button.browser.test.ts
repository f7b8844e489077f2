import { readFile } from 'node:fs/promises';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium-of-run.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { ExampleWorld } from './example-world.js';

/** The same journeys without a page are in connect-button.test.ts. */
describeInBrowser('the connect button in a browser', () => {
  let world: ExampleWorld;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    world = await ExampleWorld.open('connect-button');
    browser = await launchChromium();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(world.url);
    await reaches('idle');
  });
  afterEach(async () => {
    world.line.restore();
    await context.close();
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const reaches = (state: string) => page.waitForSelector(`#connection[data-state=${state}]`);
  const text = () => page.innerText('#connection');
  /** Presses the card's button, by its word. @returns the window that opens. */
  async function press(word: string): Promise<Page> {
    const [popup] = await Promise.all([context.waitForEvent('page'), page.click(`#go:text-is("${word}")`)]);
    await popup.waitForSelector('button[value=grant]');
    return popup;
  }
  /** What a person does in the window, which the page closes when it has heard. */
  async function decide(popup: Page, decision: 'grant' | 'deny'): Promise<void> {
    const closed = popup.waitForEvent('close');
    await popup.click(`button[value=${decision}]`);
    await closed;
  }

  it('says with which account it is connected, and closes the window', async () => {
    const popup = await press('Connect');
    await reaches('waiting');
    await decide(popup, 'grant');
    await reaches('connected');
    expect(await text()).toMatch(/Connected\s+As Ada/);
    expect(await page.getAttribute('#go', 'hidden')).toBe('');
    await page.reload();
    await reaches('connected');
    expect(await text()).toMatch(/Connected\s+As Ada/);
  });

  it('says that access was denied, and lets one try again', async () => {
    await decide(await press('Connect'), 'deny');
    await reaches('denied');
    expect(await text()).toContain('You did not allow access, so nothing was stored.');
    await decide(await press('Try again'), 'grant');
    await reaches('connected');
  });

  it('opens the same flow again after its window was closed', async () => {
    const popup = await press('Connect');
    const address = popup.url();
    await popup.close();
    await reaches('closed');
    expect(await text()).toContain('open it again');
    const again = await press('Open again');
    expect(again.url()).toBe(address);
    await reaches('waiting');
    await decide(again, 'grant');
    await reaches('connected');
  });

  it('hears of a grant whose window was closed', async () => {
    const popup = await press('Connect');
    await popup.route('**/oauth/callback/**', async (route) => {
      await fetch(route.request().url());
      await popup.close();
    });
    await popup.click('button[value=grant]').catch(() => undefined);
    await reaches('connected');
  });

  it('forgets the flow when it is canceled', async () => {
    const popup = await press('Connect');
    await Promise.all([popup.waitForEvent('close'), page.click('#cancel')]);
    await reaches('idle');
    await decide(await press('Connect'), 'grant');
    await reaches('connected');
  });

  it('offers a link where the browser blocks the window', async () => {
    await page.evaluate(() => void Object.assign(globalThis, { open: () => null }));
    await page.click('#go');
    await reaches('blocked');
    const [tab] = await Promise.all([context.waitForEvent('page'), page.click('#open')]);
    await tab.click('button[value=grant]');
    await reaches('connected');
  });

  it('says that the connection is lost, and receives the grant of that time', async () => {
    const popup = await press('Connect');
    await reaches('waiting');
    world.line.cut();
    await reaches('offline');
    await popup.click('button[value=grant]');
    await popup.waitForSelector('#outcome');
    world.line.restore();
    await reaches('connected');
  });

  it('says that there was no answer in ten minutes, and starts again', async () => {
    await press('Connect');
    await reaches('waiting');
    await world.gateway.advance(601_000);
    await reaches('timedOut');
    expect(await text()).toContain('Ten minutes passed without an answer.');
    await decide(await press('Start again'), 'grant');
    await reaches('connected');
  });

  it('takes another session where its own is over', async () => {
    await press('Connect');
    await reaches('waiting');
    world.line.cut();
    await reaches('offline');
    await world.gateway.advance(901_000);
    world.line.restore();
    await reaches('expired');
    await decide(await press('Start again'), 'grant');
    await reaches('connected');
  });

  it('says so where its own backend can reach nothing', async () => {
    world.line.cut();
    const [popup] = await Promise.all([context.waitForEvent('page'), page.click('#go')]);
    await reaches('failed');
    expect(await text()).toContain('could not reach its connections');
    expect(popup.isClosed()).toBe(true);
    world.line.restore();
    await decide(await press('Try again'), 'grant');
    await reaches('connected');
  });

  it.each(['grant', 'deny'] as const)('does what the README shows: %s', async (decision) => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [, code = ''] = /### From a browser.*?```js\n(.*?)```/s.exec(readme)!;
    await page.setContent(`<button id="go">Connect</button><p id="said"></p><script type="module">
      const [button, said] = [document.getElementById('go'), document.getElementById('said')];
      const newSession = async () => (await fetch('/session', { method: 'POST' })).json();
      ${code} button.dataset.ready = 'yes';
    </script>`);
    await page.waitForSelector('#go[data-ready]');
    await decide(await press('Connect'), decision);
    await page.waitForSelector(`#said:text-is("${decision === 'grant' ? 'Connected' : 'access_denied'}")`);
  });

  it('fits screens from 320 pixels on, in every state', async () => {
    const fits = async () => {
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 700 });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
    };
    await fits();
    const popup = await press('Connect');
    await reaches('waiting');
    await fits();
    await popup.close();
    await reaches('closed');
    await fits();
    await decide(await press('Open again'), 'deny');
    await reaches('denied');
    await fits();
  });
});
