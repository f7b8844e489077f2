import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { look } from '../looks.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { type Dashboard, usePages } from '../support/dashboard.js';

const DELAY = { name: 'wait', kind: 'DELAY', config: { seconds: 1 } };

describeInBrowser('duplicating a workflow', () => {
  const pages = usePages();
  let server: TestServer;
  let account: Account;
  let dashboard: Dashboard;
  let id: string;
  beforeAll(async () => {
    server = await startTestServer();
  });
  beforeEach(async () => {
    const person = await signedIn(server);
    account = new Account(person.client);
    id = await account.workflow('Orders', [DELAY]);
    await account.trigger(id);
    dashboard = await pages.open(server, { path: '/workflows', as: person });
  });
  afterAll(() => server.close());

  const copies = async (): Promise<number> =>
    (await account.ask('{ workflows(search: "Orders (copy)") { meta { total } } }')).workflows.meta.total;

  it('opens the copy from the menu of a row, which the keyboard reaches', async () => {
    const { page } = dashboard;
    const menu = page.getByRole('button', { name: 'Actions for Orders' }).first();
    await menu.waitFor();
    expect(await axe(page)).toEqual([]);
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Orders (copy)', level: 1 }).and(page.locator(':focus')).waitFor();
    await page.getByText('Created “Orders (copy)” as a draft.').waitFor();
    await page.getByRole('button', { name: /^1 wait/ }).waitFor();
    await page.getByRole('button', { name: /^Status: draft/ }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Workflow' });
    await tabs.getByRole('link', { name: 'Triggers 1' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('link', { name: 'Orders (copy)' }).waitFor();
  });

  it('does not open the copy once the user is on another page', async () => {
    const { page } = dashboard;
    const left = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('DuplicateWorkflow') === true) await left.promise;
      return route.fallback();
    });
    await page.getByRole('button', { name: 'Actions for Orders' }).first().click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
    await page.waitForURL('**/settings/profile');
    left.resolve();
    await page.getByText('Created “Orders (copy)” as a draft.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/profile');
  });

  it('asks before unsaved changes are left behind, on a phone', async () => {
    const { page } = dashboard;
    await look(page, 'dark', 390);
    const before = await copies();
    await page.goto(`/workflows/${id}`);
    await page.getByRole('button', { name: 'Duplicate wait' }).click();
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^2 wait 2/ }).waitFor();
    expect(await copies()).toBe(before + 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('says why there is no copy', async () => {
    const { page } = dashboard;
    await account.ask('mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id });
    const other = await account.workflow('Gone soon');
    await page.goto('/workflows');
    await page.getByRole('button', { name: 'Actions for Gone soon' }).click();
    await account.ask('mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: other });
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('alert').getByText('No such workflow.').waitFor();
  });
});
