import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the list of triggers', () => {
  let server: TestServer;
  let account: Account;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
    account = new Account((await signedIn(server)).client);
  });
  afterAll(() => server.close());

  it('shows the name that a trigger gets when it is created, and another one later', async () => {
    await account.workflow('Sync orders');
    const { page } = await pages.open(server, { path: '/triggers' });
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.getByLabel('Workflow').click();
    await page.getByRole('option', { name: 'Sync orders' }).click();
    await dialog.getByLabel('Name (optional)').fill('Orders of the shop');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Orders of the shop' }).click();
    await page.getByRole('heading', { name: 'Orders of the shop', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Rename' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename trigger' });
    await rename.getByLabel('Name (optional)').fill('');
    await rename.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Webhook of Sync orders', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await rename.getByLabel('Name (optional)').fill('Shop');
    expect(await axe(page)).toEqual([]);
    await rename.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
  });

  it('shows when each fired last, live, with a link to that run', async () => {
    const { id, hook } = await account.trigger(await account.workflow('Fired'));
    const { page } = await pages.open(server, { path: '/triggers', width: 1440 });
    const row = page.getByRole('row', { name: /Fired/ });
    const fired = row.getByRole('cell').nth(3);
    expect(await fired.innerText()).toBe('—');
    const run = await account.fire(hook);
    // Again when the user returns: the service may begin to listen for the page only after the run.
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await fired.getByText('just now').waitFor();
    await row.getByRole('link').click();
    await page.waitForURL(`**/triggers/${id}`);
    await page.locator(`dd a[href="/runs/${run}"]`).waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('shows when a schedule fires next, and why it does not, as soon as its workflow is paused or resumed', async () => {
    const workflow = await account.workflow('Nightly');
    await account.trigger(workflow, 'SCHEDULE', { cron: '0 3 * * *' });
    const { page } = await pages.open(server, { path: `/workflows/${workflow}/triggers` });
    const row = page.getByRole('row').nth(1);
    const choose = async (from: string, to: string) => {
      await page.getByRole('button', { name: `Status: ${from}. Change it` }).click();
      await page.getByRole('menuitem', { name: to }).click();
    };
    await row.getByText(/^in /).waitFor();
    await choose('active', 'Pause');
    await row.getByText('Workflow paused').waitFor();
    await choose('paused', 'Resume');
    await row.getByText(/^in /).waitFor();
  });

  it('is searched by name, workflow and cron expression, which survives a reload', async () => {
    const workflow = await account.workflow('Send invoices');
    await account.trigger(workflow, 'SCHEDULE', { cron: '17 4 * * *' });
    const { page } = await pages.open(server, { path: '/triggers' });
    const search = page.getByRole('searchbox', { name: 'Search triggers' });
    await page.getByText('At 04:17').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('17 4');
    await page.waitForURL('**/triggers?search=17+4');
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await search.fill('invoices');
    await page.waitForURL('**/triggers?search=invoices');
    await page.reload();
    await page.getByText('At 04:17').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await search.fill('nothing has this');
    await page.getByText('No trigger matches').waitFor();
    await page.getByRole('link', { name: 'Show all triggers' }).click();
    await page.getByText('At 04:17').waitFor();
    expect(await search.inputValue()).toBe('');
  });

  it('keeps each key of a search on a page that is slow to follow', async () => {
    const { page } = await pages.open(server, { path: '/triggers' });
    const field = page.getByLabel('Search triggers');
    await field.focus();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    // Each key comes just when the text before it goes to the URL.
    await page.keyboard.type('Nothing like it', { delay: 255 });
    expect(await field.inputValue()).toBe('Nothing like it');
    await page.waitForURL('**/triggers?search=Nothing+like+it');
  });
});
