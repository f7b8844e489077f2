import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { look } from '../looks.js';
import { Account, SHORT } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the first steps beside a page', () => {
  const pages = usePages();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const dock = (page: Page) => page.getByRole('region', { name: /^(First steps|You have seen it all work)$/ });

  it('lead from page to page, and tick when a run has ended', async () => {
    const person = await signedIn(server, { account: 'docked' });
    const account = new Account(person.client);
    const { page } = await pages.open(server, { path: '/workflows', as: person });
    await dock(page).getByText('0 of 5 done').waitFor();
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.getByLabel('Name').fill('Follow up');
    await page.getByRole('button', { name: 'Create workflow' }).click();
    await dock(page).getByText('1 of 5 done').waitFor();
    // Its next step is a link to the page for it.
    await dock(page).getByRole('link', { name: 'Connect an application' }).click();
    await page.waitForURL('**/integrations/new/sandbox_oauth');
    await account.connectSandbox('Sandbox');
    await dock(page).getByText('2 of 5 done').waitFor();
    await dock(page).getByRole('link', { name: 'Add an action' }).click();
    await page.waitForURL('**/actions');
    expect(await axe(page)).toEqual([]);
    const id = page.url().split('/').at(-2)!;
    await account.ask(
      'mutation ($id: ID!, $actions: [ActionInput!]!) { setWorkflowActions(workflowId: $id, actions: $actions) { id } }',
      { id, actions: [SHORT] },
    );
    const { hook } = await account.trigger(id);
    // A skipped run is no end.
    expect(await account.ended(await account.fire(hook))).toBe('SKIPPED');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await dock(page).getByText('4 of 5 done').waitFor();
    await account.ask('mutation ($id: ID!) { updateWorkflow(id: $id, input: { status: ACTIVE }) { id } }', { id });
    await account.fire(hook);
    await dock(page).getByText('5 of 5 done').waitFor();
    await dock(page).getByRole('heading', { name: 'You have seen it all work' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Actions', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    // The overview has it only once the first steps are known.
    await page.getByRole('region', { name: 'Latest failures' }).waitFor();
    expect(await page.getByText('of 5 done').count()).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { name: 'Actions', exact: true }).waitFor();
    expect(await dock(page).count()).toBe(0);
  });

  it('are a line that scrolls away on a phone, and can be hidden for good', async () => {
    const { page } = await pages.open(server, { path: '/workflows', as: { account: 'phone' } });
    await look(page, 'dark', 390);
    await dock(page).getByText('0 of 5 done').waitFor();
    await dock(page).getByRole('link', { name: 'Create a workflow' }).waitFor();
    expect(await dock(page).evaluate((strip) => getComputedStyle(strip).position)).toBe('static');
    expect(await dock(page).evaluate((strip) => strip.getBoundingClientRect().height)).toBeLessThan(48);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await axe(page)).toEqual([]);
    await dock(page).getByRole('button', { name: 'Hide the first steps' }).click();
    await dock(page).waitFor({ state: 'detached' });
    await page.goto('/');
    await page.getByRole('region', { name: 'Latest failures' }).waitFor();
    expect(await page.getByText('of 5 done').count()).toBe(0);
  });
});
