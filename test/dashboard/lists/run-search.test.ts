import { SEARCHED_RUNS } from '../../../src/features/runs/run-search.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account, FAILING } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';
import { look } from '../looks.js';

describeInBrowser('the list of runs', () => {
  let server: TestServer;
  let account: Account;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
    account = new Account((await signedIn(server)).client);
  });
  afterAll(() => server.close());

  it('is searched by input, error and id, and says how far', async () => {
    const [orders, calls] = [await account.workflow('Sync orders'), await account.workflow('Call', [FAILING])];
    const hooks = [(await account.trigger(orders)).hook, (await account.trigger(calls)).hook];
    const run = await account.fire(hooks[0]!, { customer: 'Ada' });
    await account.ended(run);
    await account.ended(await account.fire(hooks[1]!, { customer: 'Grace' }));
    const { page } = await pages.open(server, { path: '/runs', width: 1440 });
    const rows = page.getByRole('table', { name: 'Runs' }).getByRole('link');
    await rows.nth(1).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search by id, error or input' });
    for (const [text, name] of [
      ['"ada"', 'Sync orders'],
      ['blocked', 'Call'],
      [run, 'Sync orders'],
      [run.slice(-8), 'Sync orders'],
    ] as const) {
      await search.fill(text);
      await page.getByText('Total: 1', { exact: true }).waitFor();
      await page.getByText(`the newest ${SEARCHED_RUNS.toLocaleString('en')} runs`).waitFor();
      expect(await rows.allInnerTexts()).toEqual([expect.stringContaining(name)]);
      await search.fill('');
      await page.getByText('Total: 2', { exact: true }).waitFor();
    }
    await search.fill('nothing has this');
    await page.getByText('No runs match these filters.', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('No runs match these filters.', { exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show all runs' }).click();
    await rows.nth(1).waitFor();
  });

  it('has a time range of one’s own, whose ends stay in the URL', async () => {
    const { page } = await pages.open(server, { path: '/runs' });
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Custom range…' }).click();
    const now = server.clock.now().getTime();
    const minute = (offset: number) => new Date(now + offset * 60_000).toISOString().slice(0, 16);
    await page.getByLabel('From').fill(minute(-60));
    await page.getByText('Total: 2', { exact: true }).waitFor();
    await page.getByLabel('To').fill(minute(-30));
    await page.getByText('No run matches').waitFor();
    await page.getByLabel('To').fill(minute(-90));
    await page.getByText('Must not be before “From”.').waitFor();
    await page.getByLabel('To').fill(minute(0));
    await page.getByText('Total: 2', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Total: 2', { exact: true }).waitFor();
    expect(await page.getByLabel('From').inputValue()).toBe(minute(-60));
    await page.getByText('Times are in your time zone, UTC.').waitFor();
    await look(page, 'dark', 390);
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const widths = [page.getByLabel('From'), page.getByLabel('To'), page.getByRole('searchbox')];
    expect(new Set(await Promise.all(widths.map(async (field) => (await field.boundingBox())!.width))).size).toBe(1);
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Any time' }).click();
    await page.getByLabel('From').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });
});
