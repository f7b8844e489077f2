import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('keys that come before the dialog', () => {
  const pages = usePages();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search and commands' });
  const pathOf = (page: Page) => new URL(page.url()).pathname;

  /** The overview; `slow` code that loads from now on waits for the function. */
  async function open() {
    const { page } = await pages.open(server);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    const code = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js$/, (route) => code.promise.then(() => route.continue()));
    return { page, arrive: () => code.resolve() };
  }

  it.each(['key', 'button'])('are the text of the palette, which the %s opens', async (way) => {
    const { page, arrive } = await open();
    if (way === 'key') await page.keyboard.press('Control+k');
    else
      await page
        .getByRole('button', { name: /^Search/ })
        .first()
        .click();
    await page.keyboard.type('edgxe');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    arrive();
    await page.keyboard.type('e of');
    await field(page).waitFor();
    await page.keyboard.type(' it', { delay: 20 });
    await until(async () => (await field(page).inputValue()) === 'edge of it');
    expect(pathOf(page)).toBe('/');
  });

  it('close the palette by Escape, and are shortcuts again', async () => {
    const { page, arrive } = await open();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ge');
    await page.keyboard.press('Escape');
    arrive();
    await page.keyboard.type('gw');
    await page.waitForURL('**/workflows');
    expect(await field(page).count()).toBe(0);
  });

  it('are no shortcuts while “New workflow” loads', async () => {
    const { page, arrive } = await open();
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.keyboard.type('edge?');
    arrive();
    await page.getByRole('dialog', { name: 'New workflow' }).waitFor();
    expect(pathOf(page)).toBe('/');
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('reach the palette that opens while another dialog, or itself, fades away', async () => {
    const { page, arrive } = await open();
    arrive();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor();
    for (const text of ['edge', 'gears']) {
      await page.keyboard.press('Escape');
      await page.waitForTimeout(40);
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text, { delay: 20 });
      await until(async () => (await field(page).count()) === 1 && (await field(page).inputValue()) === text);
      await field(page).and(page.locator(':focus')).waitFor();
      // Long enough for a text of the page before to go.
      await page.waitForTimeout(400);
      expect(await field(page).inputValue()).toBe(text);
    }
    expect(pathOf(page)).toBe('/');
  });
});
