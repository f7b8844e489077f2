import { type Browser, type Locator, type Page } from 'playwright-core';
import { signedIn } from '../../support/worlds/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from '../support/dashboard.js';

describeInBrowser('dialogs and toasts', () => {
  let server: TestServer;
  let browser: Browser;
  let account: Account;
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
    const person = await signedIn(server);
    account = new Account(person.client);
    dashboard = await openDashboard(browser, server, { path: '/workflows', as: person });
    page = dashboard.page;
  });
  afterEach(() => expect(dashboard.complaints.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  async function newTrigger(workflow: string): Promise<Locator> {
    await page.goto(`/workflows/${workflow}/triggers`);
    await page.getByRole('button', { name: 'New trigger' }).click();
    return page.getByRole('dialog', { name: 'New trigger' });
  }

  it('begins a trigger as a webhook; the types stay in place when another is chosen', async () => {
    const dialog = await newTrigger(await account.workflow('Placed', [], 'DRAFT'));
    await dialog.getByRole('radio', { name: 'Webhook', checked: true }).waitFor();
    await dialog.getByLabel('Signing secret (optional)').waitFor();
    const placeOf = async (type: string) => (await dialog.getByRole('radio', { name: type }).boundingBox())!.y;
    await until(async () => (await placeOf('Manual')) === (await placeOf('Manual')));
    const before = await placeOf('Manual');
    await dialog.getByRole('radio', { name: 'Schedule' }).click();
    await dialog.getByText('At 09:00').waitFor();
    expect(await placeOf('Manual')).toBe(before);
    await dialog.getByRole('radio', { name: 'Manual' }).click();
    await dialog.getByLabel('Cron expression').waitFor({ state: 'detached' });
    expect(await placeOf('Manual')).toBe(before);
  });

  it('activates the draft of a new trigger on the spot', async () => {
    const id = await account.workflow('Drafted', [], 'DRAFT');
    const dialog = await newTrigger(id);
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('The workflow is still a draft').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await dialog.getByText('The workflow is active.').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.locator(':focus').getByText('The workflow is active.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Status: active. Change it' }).waitFor();
    const { workflow } = await account.ask('query ($id: ID!) { workflow(id: $id) { status } }', { id });
    expect(workflow.status).toBe('ACTIVE');
  });

  it('runs by hand with the input of the last run', async () => {
    const id = await account.workflow('Again');
    const { id: trigger } = await account.trigger(id, 'MANUAL');
    const { runWorkflow } = await account.ask(
      'mutation ($id: ID!) { runWorkflow(workflowId: $id, input: { order: 7 }) { id } }',
      { id },
    );
    await account.ended(runWorkflow.id);
    const inputOf = (dialog: Locator) => dialog.getByLabel('Input').inputValue();
    await page.goto(`/workflows/${id}`);
    await page.getByRole('button', { name: 'Run now' }).click();
    await until(async () => (await inputOf(page.getByRole('dialog', { name: 'Run now' }))).includes('"order": 7'));
    await page.goto(`/triggers/${trigger}`);
    await page.getByRole('button', { name: 'Fire now' }).click();
    await until(async () => (await inputOf(page.getByRole('dialog', { name: 'Fire “Again”' }))).includes('"order": 7'));
  });

  it.each([1280, 390])('shows a toast beside the page and its dialogs at %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/workflows/${await account.workflow('Toasted', [], 'DRAFT')}/triggers`);
    await page.getByRole('button', { name: 'Status: draft. Change it' }).click();
    await page.getByRole('menuitem', { name: 'Activate' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'The workflow is active.' });
    await toast.waitFor();
    // It stays while the pointer is on it.
    await toast.hover();
    await page.getByRole('button', { name: 'New trigger' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.getByRole('button', { name: 'Create trigger' }).waitFor();
    expect(await overlaps(toast, dialog)).toBe(false);
    if (width === 1280) expect(await overlaps(toast, page.locator('main'))).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

async function overlaps(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [(await one.boundingBox())!, (await other.boundingBox())!];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
