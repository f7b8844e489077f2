import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account, FAILING } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the lists', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const accountOf = async (account: string): Promise<Account> =>
    new Account((await signedIn(server, { account })).client);

  it('of workflows shows those that the API creates, and how their runs end', async () => {
    const account = await accountOf('live');
    await account.workflow('First');
    const { page } = await pages.open(server, { path: '/workflows', as: { account: 'live' }, width: 1440 });
    await page.getByRole('link', { name: 'First' }).waitFor();
    const workflow = await account.workflow('Made by the API');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    const row = page.getByRole('row', { name: /Made by the API/ });
    await row.waitFor();

    await account.trigger(workflow, 'SCHEDULE', { cron: '0 9 1 1 *' });
    const { hook } = await account.trigger(workflow);
    await account.ended(await account.fire(hook));
    await row.getByText('Succeeded').waitFor();
    await row.getByRole('img', { name: 'Schedule' }).waitFor();
    await row.getByRole('img', { name: 'Webhook' }).waitFor();
    await row
      .getByText(/^in \d/)
      .or(row.getByText(/^next /))
      .waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('of workflows has their runs of the last days, and the share that failed', async () => {
    const account = await accountOf('activity');
    const [good, mixed] = [await account.workflow('Good'), await account.workflow('Mixed', [FAILING])];
    await account.workflow('Idle');
    const { hook } = await account.trigger(good);
    await account.ended(await account.fire(hook));
    const { hook: failing } = await account.trigger(mixed);
    await account.ended(await account.fire(failing));
    await account.ask('mutation ($id: ID!) { setWorkflowActions(workflowId: $id, actions: []) { id } }', { id: mixed });
    for (let count = 0; count < 2; count += 1) await account.ended(await account.fire(failing));
    const { page } = await pages.open(server, { path: '/workflows', as: { account: 'activity' }, width: 1440 });
    await page.getByRole('row', { name: 'Good' }).getByText('1 run in 14 days, 0 failed (0%)').waitFor();
    await page.getByRole('row', { name: 'Mixed' }).getByText('3 runs in 14 days, 1 failed (33.3%)').waitFor();
    expect(await page.getByRole('row', { name: 'Mixed' }).locator('rect[data-series=none]').count()).toBe(13);
    expect(await page.getByRole('row', { name: 'Idle' }).getByText('failed').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
  });

  it('of triggers tells webhooks apart, and keeps those of one workflow', async () => {
    const account = await accountOf('apart');
    const [orders, invoices] = [await account.workflow('Sync orders'), await account.workflow('Send invoices')];
    const hooks = [await account.trigger(orders), await account.trigger(orders), await account.trigger(invoices)];
    const { page } = await pages.open(server, { path: '/triggers', as: { account: 'apart' } });
    for (const { hook } of hooks) await page.getByText(`…${hook.slice(-8)}`).waitFor();
    await page.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: 'Send invoices' }).click();
    await page.getByText(`…${hooks[0]!.hook.slice(-8)}`).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(`…${hooks[2]!.hook.slice(-8)}`).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await axe(page)).toEqual([]);
  });

  it.each(['/event-log?type=foo', '/runs?after=garbage', `/workflows?search=${'x'.repeat(300)}`])(
    'lead from %.30s to the list without filters, since a retry could not succeed',
    async (path) => {
      const { page } = await pages.open(server, { path });
      await page.getByRole('heading', { name: 'The URL has a value that is not possible' }).waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      expect(await axe(page)).toEqual([]);
      await page.getByRole('link', { name: 'Show all' }).click();
      await page.getByRole('heading', { name: 'The URL has a value' }).waitFor({ state: 'detached' });
      await page.waitForURL((url) => url.search === '');
    },
  );
});
