import { type Page } from 'playwright-core';
import { signedIn } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { Account, FAILING, LASTING } from './support/account.js';
import { axe } from './support/axe.js';
import { type OpenOptions, usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

describeInBrowser('the overview', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function overview(account: string, options: OpenOptions = {}): Promise<Page> {
    const opened = await pages.open(server, { as: { account }, ...options });
    return opened.page;
  }

  const accountOf = async (account: string): Promise<Account> =>
    new Account((await signedIn(server, { account })).client);

  /** Two that succeeded, one that failed, one canceled, one skipped. */
  async function oneOfEach(account: Account): Promise<{ good: string; bad: string }> {
    const good = await account.trigger(await account.workflow('Sync invoices'));
    const bad = await account.trigger(await account.workflow('Call <b>elsewhere</b>', [FAILING]));
    const lasting = await account.trigger(await account.workflow('Wait', [LASTING]));
    const ends = [await account.fire(good.hook), await account.fire(good.hook), await account.fire(bad.hook)];
    const canceled = await account.fire(lasting.hook);
    for (const run of ends) await account.ended(run);
    await account.ask('mutation ($id: ID!) { cancelRun(id: $id) { id } }', { id: canceled });
    await account.ended(canceled);
    const pause = 'mutation ($id: ID!) { updateTrigger(id: $id, input: { status: PAUSED }) { id } }';
    await account.ask(pause, { id: lasting.id });
    await account.fire(lasting.hook);
    return { good: good.hook, bad: bad.hook };
  }

  const total = (page: Page, label: string) =>
    page.getByRole('region', { name: 'Runs' }).locator('dl > div').filter({ hasText: label }).locator('dd');

  describe('of an account whose workflows run', () => {
    let account: Account;
    let hooks: { good: string; bad: string };

    beforeAll(async () => {
      account = await accountOf('runs');
      hooks = await oneOfEach(account);
    });

    it('counts what has run, in sum, in the table, and at each bar', async () => {
      const page = await overview('runs', { path: '/?range=7d' });
      await total(page, 'Runs').getByText('4', { exact: true }).waitFor();
      const sums = { 'Success rate': '66.7%', Succeeded: '2', Failed: '1', Canceled: '1', Skipped: '1' };
      for (const [label, sum] of Object.entries(sums)) expect(await total(page, label).innerText()).toBe(sum);
      await page.getByRole('button', { name: 'Show as table' }).click();
      const rows = await page.getByRole('table', { name: 'Runs of the last 7 days' }).getByRole('row').allInnerTexts();
      const numbers = rows.slice(1).map((row) => row.split('\t').slice(1).map(Number));
      expect(numbers).toHaveLength(7);
      expect(numbers.reduce((sum, row) => sum.map((number, at) => number + row[at]!))).toEqual([4, 2, 1, 1, 1]);
    });

    it('tells the numbers of a bar to pointer, keyboard and screen readers', async () => {
      const page = await overview('runs', { path: '/?range=7d' });
      const slider = page.getByRole('slider', { name: 'Day' });
      await slider.focus();
      await page.keyboard.press('Home');
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/, no runs$/);
      await page.getByText('No runs', { exact: true }).waitFor();
      await page.keyboard.press('End');
      expect(await slider.getAttribute('aria-valuetext')).toMatch(
        /^\w+day, \w+ \d+, 4 runs: 2 succeeded, 1 failed, 1 canceled, 1 skipped$/,
      );
      await page.keyboard.press('Escape');
      const box = (await slider.boundingBox())!;
      await page.mouse.move(box.x + box.width - 5, box.y + 50);
      await page
        .getByText(/^\w+day, \w+ \d+$/)
        .first()
        .waitFor();
      expect(await axe(page)).toEqual([]);
    });

    it('goes by the clock of the service where that of the browser is wrong', async () => {
      const page = await overview('runs');
      await page.clock.install({ time: Date.now() + 2 * 86_400_000 });
      await page.reload();
      await total(page, 'Succeeded').getByText('2', { exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'Latest failures' })
        .getByText('just now')
        .or(page.getByText(/\d min\. ago/))
        .first()
        .waitFor();
    });

    it('leads from a sum, and from a failure, to the runs', async () => {
      const page = await overview('runs');
      const failures = page.getByRole('region', { name: 'Latest failures' });
      await failures.getByRole('link', { name: 'Call <b>elsewhere</b>' }).waitFor();
      expect(await failures.getByText(/^10\.0\.0\.1 is in a private or reserved network\./).count()).toBe(1);
      await page.getByRole('region', { name: 'Runs' }).getByRole('link', { name: 'Skipped' }).click();
      await page.waitForURL('**/runs?status=skipped&time=day&tests=none');
    });

    it('shows new runs and failures as they come', async () => {
      const page = await overview('runs');
      const failures = page.getByRole('region', { name: 'Latest failures' }).getByRole('link', { name: 'elsewhere' });
      await failures.first().waitFor();
      // Another query counts the runs.
      await total(page, 'Runs').getByText(/[1-9]/).waitFor();
      const [runs, listed] = [Number(await total(page, 'Runs').innerText()), await failures.count()];
      await account.fire(hooks.good);
      await account.fire(hooks.bad);
      await total(page, 'Runs')
        .getByText(String(runs + 2), { exact: true })
        .waitFor();
      await failures.nth(listed).waitFor();
      const failed = (await failures.first().getAttribute('href'))!.split('/').at(-1);
      await account.ask('mutation ($id: ID!) { retryRun(id: $id) { id } }', { id: failed });
      await page.getByRole('region', { name: 'Latest failures' }).getByText('Retried · ').waitFor();
    });

    it('shows a shorter time, and says so, where there are too many runs to count', async () => {
      const page = await overview('runs', { path: '/developers' });
      await page.route('**/graphql', async (route) => {
        const asked = route.request().postDataJSON() as { operationName?: string; variables: Record<string, unknown> };
        if (asked.operationName !== 'RunsOverTime' || asked.variables.bucket !== 'DAY') return route.fallback();
        // A million runs take long to make: this the service refuses in the same words, at the same field.
        const variables = { ...asked.variables, from: '1990-01-01T00:00:00Z' };
        return route.fallback({ postData: JSON.stringify({ ...asked, variables }) });
      });
      await page.goto('/?range=30d');
      await page.getByText('More than 1,000,000 runs in the last 30 days').waitFor();
      await page.getByText('you see the last 24 hours').waitFor();
      expect(await page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true);
      await page.getByRole('slider', { name: 'Hour' }).waitFor();
    });

    it('lists the connections that need attention, links to them, and reconnects one at once', async () => {
      const id = await account.connectSandbox('Accounting', { lifetime: 691_200, refresh: 'no' });
      const page = await overview('runs');
      await page.getByText('All connections in use are healthy.').waitFor();
      await server.db.query(`UPDATE integrations SET expires_at = now() + interval '3 days' WHERE name = 'Accounting'`);
      await page.reload();
      const card = page.getByRole('region', { name: 'Connections that need attention' });
      await card.getByText(/^Expires \w+ \d+, \d{4}$/).waitFor();
      await card.getByRole('link', { name: 'Accounting' }).click();
      await page.waitForURL(`**/integrations/${id}`);
      await page.goBack();
      const [popup] = await Promise.all([
        page.context().waitForEvent('page'),
        card.getByRole('button', { name: 'Reconnect Accounting' }).click(),
      ]);
      const closed = popup.waitForEvent('close');
      await popup.getByRole('button', { name: 'Grant' }).click();
      await closed;
      await page.getByText('“Accounting” is connected again.').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('All connections in use are healthy.').waitFor();
    });

    it('tells when schedules fire next, from now and on the clock', async () => {
      const workflow = await account.workflow('Nightly report');
      await account.trigger(workflow, 'SCHEDULE', { cron: '30 2 29 2 *', timezone: 'UTC' });
      const page = await overview('runs');
      const card = page.getByRole('region', { name: 'Next schedules' });
      await card.getByRole('link', { name: 'Nightly report' }).waitFor();
      expect(await card.getByRole('listitem').innerText()).toMatch(
        /\n(in \d+|next) (mo|yr)\.\nTue, Feb 29, 2028, 02:30 UTC$/,
      );
    });

    it('names the zone of a schedule and that of its next time', async () => {
      const account = await accountOf('zones');
      const workflow = await account.workflow('Far away');
      await account.trigger(workflow, 'SCHEDULE', { cron: '30 1 * * *', timezone: 'Pacific/Apia' });
      const page = await overview('zones');
      const item = page.getByRole('region', { name: 'Next schedules' }).getByRole('listitem');
      await item.getByText('At 01:30, every day (Pacific/Apia)').waitFor({ timeout: 15_000 });
      // 01:30 of UTC+13.
      await item.getByText(/, 12:30 UTC$/).waitFor({ timeout: 15_000 });
    });
  });

  describe('of a new account', () => {
    it('says what to do first, and ticks off what is done', async () => {
      const page = await overview('begins');
      await page.getByText('0 of 5 done').waitFor();
      expect(await page.getByRole('slider').count()).toBe(0);
      await page.getByRole('button', { name: 'New workflow' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('First');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/workflows\/wf_\w+$/);
      const account = await accountOf('begins');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
      await page.getByText('1 of 5 done', { exact: true }).waitFor();
      await account.connectSandbox('Sandbox');
      const { items } = (await account.ask('{ workflows { items { id } } }')).workflows;
      await account.ask(
        `mutation ($id: ID!, $actions: [ActionInput!]!) { setWorkflowActions(workflowId: $id, actions: $actions) { id }
         updateWorkflow(id: $id, input: { status: ACTIVE }) { id } }`,
        { id: items[0].id, actions: [{ ...LASTING, config: { seconds: 1 } }] },
      );
      const { hook } = await account.trigger(items[0].id);
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await page.getByText('4 of 5 done').waitFor();
      expect(await page.getByRole('listitem').filter({ hasText: 'See it run' }).getAttribute('aria-current')).toBe(
        'step',
      );
      // The last one is ticked off while one looks at it.
      await account.fire(hook);
      await page.getByRole('heading', { name: 'You have seen it all work' }).waitFor();
      await total(page, 'Runs').getByText('1', { exact: true }).waitFor();
    });

    it('leads to the sandbox', async () => {
      const page = await overview('connects');
      await page.getByRole('link', { name: 'Connect the sandbox' }).click();
      await page.getByRole('heading', { name: /Sandbox/, level: 1 }).waitFor();
    });

    it('can do without', async () => {
      const page = await overview('knows');
      await page.getByRole('button', { name: 'Hide the first steps' }).click();
      await page.getByText('No run has failed in the last 24 hours.').waitFor();
      await page.reload();
      await page.getByText('No run has failed in the last 24 hours.').waitFor();
      expect(await page.getByText('First steps').count()).toBe(0);
    });
  });

  describe('for everybody', () => {
    beforeAll(async () => {
      const account = await accountOf('looked-at');
      await oneOfEach(account);
      const workflow = await account.workflow('x'.repeat(255));
      await account.trigger(workflow, 'SCHEDULE', { cron: '30 2 * * *', timezone: 'UTC' });
      await account.connectSandbox('y'.repeat(255), { lifetime: 691_200, refresh: 'no' });
      await server.db.query(`UPDATE integrations SET expires_at = now() + interval '3 days' WHERE name LIKE 'yyy%'`);
    });

    it.each([
      ['light', 1440],
      ['dark', 1440],
      ['light', 390],
      ['dark', 390],
    ] as const)('axe finds nothing in %s at %i px, and nothing is wider', async (colorScheme, width) => {
      const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
      const full = await overview('looked-at', { path: '/?range=30d', colorScheme, width });
      await full.getByRole('region', { name: 'Latest failures' }).getByRole('link', { name: 'elsewhere' }).waitFor();
      await full.getByText(/^Expires \w+ \d+/).waitFor();
      await full.getByRole('slider').waitFor();
      expect(await axe(full)).toEqual([]);
      expect(await fits(full)).toBe(width);
      await full.getByRole('button', { name: 'Show as table' }).click();
      await full.getByRole('heading', { name: 'Overview' }).hover();
      await full.getByRole('tooltip').waitFor({ state: 'detached' });
      expect(await axe(full)).toEqual([]);
      const fresh = await overview('fresh', { colorScheme, width });
      await fresh.getByText('0 of 5 done').waitFor();
      expect(await axe(fresh)).toEqual([]);
      expect(await fits(fresh)).toBe(width);
    });
  });
});
