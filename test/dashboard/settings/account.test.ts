import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { look } from '../looks.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the settings of the account', () => {
  const pages = usePages();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await signedIn(server, { account: 'Taken' });
  });
  afterAll(() => server.close());

  it('renames it, everywhere at once, but not to the name of another', async () => {
    const { page } = await pages.open(server, { path: '/settings/account', as: { account: 'default-ish' } });
    const name = page.getByLabel('Account name');
    await name.fill('Taken');
    await page.keyboard.press('Enter');
    const taken = page.getByText('Is the name of another account.');
    await taken.waitFor();
    // An error is red, not grey like a hint.
    expect(await taken.evaluate((text) => getComputedStyle(text).color)).toBe('rgb(180, 35, 24)');
    expect(await axe(page)).toEqual([]);
    await name.fill('Acme');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Account renamed.').waitFor();
    await page.getByTitle('Acme', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await look(page, 'dark', 390);
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
