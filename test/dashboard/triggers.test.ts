import { type Browser, type Page } from 'playwright-core';
import { addCopies } from '../support/runner/copies.js';
import { type SignedIn, signedIn } from '../support/worlds/people.js';
import { until } from '../support/until.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { Account } from './support/account.js';
import { axe } from './support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { look } from './looks.js';
import { inShell } from './support/shell.js';

describeInBrowser('triggers in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  /** Another user of the account, over the API. */
  let person: SignedIn;
  let account: Account;
  /** One for all tests: opening a page again costs more than using it. */
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
    person = await signedIn(server);
    account = new Account(person.client);
    dashboard = await openDashboard(browser, server, { path: '/triggers', as: person });
    page = dashboard.page;
  });
  afterEach(async () => {
    await page.unrouteAll();
    expect(dashboard.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** Opens the dialog and chooses the workflow and the type. */
  async function beginTrigger(workflow: string, type: string) {
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.getByLabel('Workflow').click();
    await page.getByRole('option', { name: workflow }).click();
    await dialog.getByRole('radio', { name: type }).click();
    return dialog;
  }

  /** The whole text of a block of code. */
  const codeOf = (label: string) => page.getByRole('region', { name: label, exact: true }).innerText();

  it('a schedule is made with its words and next times before one’s eyes', async () => {
    await page.getByText('No triggers yet').waitFor();
    const workflowId = await account.workflow('Nightly report');
    const dialog = await beginTrigger('Nightly report', 'Schedule');
    await dialog.getByLabel('Cron expression').fill('61 9 * * 1');
    await dialog.getByText('Minute 61 is out of range in cron "61 9 * * 1": expected 0-59.').waitFor();
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.locator('[aria-invalid=true]:focus').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByLabel('Cron expression').fill('30 6 * * 1-5');
    await dialog.getByText('At 06:30, Monday through Friday').waitFor();
    await dialog.getByLabel('Time zone').fill('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    const times = dialog.getByRole('table', { name: 'Next times' });
    await times.getByRole('columnheader', { name: 'America/New_York' }).waitFor();
    expect(await times.getByRole('row').count()).toBe(6);
    expect(await times.getByRole('row').nth(1).innerText()).toMatch(
      /^\w{3}, \w{3} \d+, (?:\d+, )?06:30\s+\w{3}, \w{3} \d+, (?:\d+, )?1[01]:30$/,
    );
    await dialog.getByRole('radio', { name: 'Run once to catch up' }).click();
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Trigger created').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').getByText('At 06:30, Monday through Friday (America/New_York)').waitFor();
    const { triggers } = await account.ask('query ($id: ID) { triggers(workflowId: $id) { items { config } } }', {
      id: workflowId,
    });
    expect(triggers.items).toEqual([
      { config: { cron: '30 6 * * 1-5', timezone: 'America/New_York', catch_up: 'last' } },
    ]);
  });

  it('a trigger that was deleted elsewhere is gone once an action finds out', async () => {
    const { id } = await account.trigger(await account.workflow('Short-lived'), 'MANUAL');
    await page.goto(`/triggers/${id}`);
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await account.ask('mutation ($id: ID!) { deleteTrigger(id: $id) }', { id });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('heading', { name: 'There is no such trigger' }).waitFor();
    await page.goto('/triggers');
  });

  it('a webhook is created, fired by the shown line, and its run appears', async () => {
    await account.workflow('Sync orders');
    await page.goto('/triggers');
    const dialog = await beginTrigger('Sync orders', 'Webhook');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Each POST to its URL starts a run.').waitFor();
    const line = await codeOf('curl line');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const socket = page.waitForEvent('websocket');
    await page.goto('/runs');
    await (await socket).waitForEvent('framesent', ({ payload }) => payload.toString().includes('RunChanges'));
    const run = page.getByRole('table', { name: 'Runs' }).getByRole('link', { name: 'Sync orders' }).first();
    // More than one: the service may have begun to listen for the page only after the first.
    await until(async () => {
      expect(JSON.parse(await inShell(line))).toMatchObject({ accepted: true });
      return run.isVisible();
    });
    await run.click();
    await page.getByRole('heading', { name: 'Run of Sync orders' }).waitFor();
    await page.getByText('The workflow had no actions: there was nothing to do.').waitFor();
    expect(JSON.parse(await codeOf('Input of the run'))).toEqual({ hello: 'world' });
  });

  it('a webhook with a secret gives a line that signs', async () => {
    await account.workflow('Signed orders');
    await page.goto('/triggers');
    const dialog = await beginTrigger('Signed orders', 'Webhook');
    await dialog.getByLabel('Signing secret (optional)').fill(`it's "$HOME" \\secret`);
    await dialog.getByLabel('Deduplication header (optional)').fill('not a header');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Must be the name of an HTTP header.').waitFor();
    await dialog.getByLabel('Deduplication header (optional)').fill('X-Delivery-Id');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Trigger created').waitFor();
    await dialog.getByRole('button', { name: 'Show the secret' }).click();
    const line = await codeOf('curl line');
    expect(JSON.parse(await inShell(line))).toMatchObject({ accepted: true });
    const unsigned = await fetch(await codeOf('Webhook URL'), { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(401);
  });

  it('an event of the sandbox fires what waits for it, and for such a payload', async () => {
    await account.workflow('Greet contacts');
    const { connectIntegration: sales } = await account.ask(
      `mutation { connectIntegration(input: { type: "sandbox_api_key", label: "Sales", credentials: { api_key: "sandbox_valid_key" } }) {
         ... on Integration { id eventsUrl eventsSecret } } }`,
    );
    // It comes on the second page of them.
    await addCopies(server, 'integrations', sales.id, { count: 100, name: 'Other', status: 'disconnected' });
    await page.goto('/triggers');
    const dialog = await beginTrigger('Greet contacts', 'App event');
    await dialog.getByLabel('Connection').click();
    await page.getByRole('option', { name: /Sales/ }).click();
    await dialog.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'item.created' }).click();
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    await dialog.getByLabel('Path 1').fill('item.kind');
    await dialog.getByLabel('Value 1').fill('9007199254740993');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Would be rounded to 9007199254740992; put it in quotes for text.').waitFor();
    expect(await dialog.locator('[aria-invalid=true]:focus').inputValue()).toBe('9007199254740993');
    expect(await axe(page)).toEqual([]);
    await dialog.getByLabel('Value 1').fill('book');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Each “item.created” of Sales, filtered starts a run.').waitFor();
    expect(await codeOf('Event URL')).toBe(sales.eventsUrl);
    await dialog.getByRole('link', { name: 'Open trigger' }).click();
    await page.getByText('No runs yet').waitFor();
    for (const kind of ['record', 'book']) {
      const payload = { item: { kind } };
      const body = { url: sales.eventsUrl, secret: sales.eventsSecret, event: 'item.created', payload };
      await person.client.send('POST', '/sandbox/events', { body });
    }
    await page.reload();
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').click();
    expect(JSON.parse(await codeOf('Input of the run'))).toEqual({ item: { kind: 'book' } });
    await page.goBack();
    await account.ask('mutation ($id: ID!) { disconnectIntegration(id: $id) { id } }', { id: sales.id });
    await page.reload();
    await page.getByText('It cannot fire').waitFor();
    await page.getByRole('alert').getByRole('link', { name: '“Sales”' }).waitFor();
  });

  it('rests while it is paused, which a skipped run says, and is resumed and deleted', async () => {
    const { id, hook } = await account.trigger(await account.workflow('Orders'));
    await page.goto(`/triggers/${id}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('It is paused').waitFor();
    await account.fire(hook);
    await page.getByText('The trigger was paused when it fired.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('It is paused').waitFor({ state: 'detached' });
    await page.getByLabel('Deduplication header (optional)').fill('X-Id');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByLabel('Deduplication header (optional)').fill('X-Forgotten');
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete this trigger?' });
    await asked.getByText('Its URL stops working permanently').waitFor();
    await asked.getByRole('button', { name: 'Delete trigger' }).click();
    await page.waitForURL('**/triggers');
    await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
    await page.goto(`/triggers/${id}`);
    await page.getByRole('heading', { name: 'There is no such trigger' }).waitFor();
  });

  it('is fired by hand with an input of one’s own', async () => {
    const { id } = await account.trigger(await account.workflow('By hand'), 'MANUAL');
    await page.goto(`/triggers/${id}`);
    await page.getByRole('button', { name: 'Fire now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fire “By hand”' });
    await dialog.getByLabel('Input').fill('{ "a": }');
    await dialog.getByRole('button', { name: 'Fire now' }).click();
    await dialog.getByText(/^This is not valid JSON: .*, line 1, column 8\.$/).waitFor();
    await dialog.getByLabel('Input').fill('{ "a": [1, null] }');
    await dialog.getByRole('button', { name: 'Fire now' }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    await page.getByText('Succeeded').first().waitFor();
    expect(JSON.parse(await codeOf('Input of the run'))).toEqual({ a: [1, null] });
  });

  it('asks before changed settings are left behind, by a link or with the tab', async () => {
    const { id } = await account.trigger(await account.workflow('Kept'));
    await page.goto(`/triggers/${id}`);
    const header = page.getByLabel('Deduplication header (optional)');
    const leave = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await header.fill('X-Id');
    await leave();
    await dialog.getByText('The changes to the settings are not saved.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await header.inputValue()).toBe('X-Id');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const tab = await asked;
    expect(tab.type()).toBe('beforeunload');
    await tab.accept();
    await reloaded;
    await header.fill('X-Other');
    await leave();
    await dialog.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    await page.goto(`/triggers/${id}`);
    await header.waitFor();
    await leave();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  });

  it('keeps changed settings when another user saves others, and says so; unchanged ones follow', async () => {
    const { id } = await account.trigger(await account.workflow('Shared'));
    await page.goto(`/triggers/${id}`);
    const header = page.getByLabel('Deduplication header (optional)');
    const saveElsewhere = async (name: string) => {
      await account.ask(
        'mutation ($id: ID!, $config: JSONObject!) { updateTrigger(id: $id, input: { config: $config }) { id } }',
        { id, config: { dedupe_header: name } },
      );
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    };
    await header.fill('X-Mine');
    await saveElsewhere('X-Theirs');
    await page.getByText('Another tab or another user has changed these settings').waitFor();
    expect(await header.inputValue()).toBe('X-Mine');
    await page.getByRole('button', { name: 'Undo changes' }).click();
    expect(await header.inputValue()).toBe('X-Theirs');
    await saveElsewhere('X-Latest');
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[value="X-Latest"]') !== null);
  });

  it('does not replace settings that another user saved unseen; saved again, it does', async () => {
    const { id } = await account.trigger(await account.workflow('Unseen'));
    await page.goto(`/triggers/${id}`);
    const header = page.getByLabel('Deduplication header (optional)');
    await header.fill('X-Mine');
    const update =
      'mutation ($id: ID!, $config: JSONObject!) { updateTrigger(id: $id, input: { config: $config }) { id } }';
    await account.ask(update, { id, config: { dedupe_header: 'X-Theirs' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another tab or another user has changed these settings').waitFor();
    const stored = async () =>
      (await account.ask('query ($id: ID!) { trigger(id: $id) { config } }', { id })).trigger.config;
    expect(await stored()).toEqual({ dedupe_header: 'X-Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').first().waitFor();
    expect(await stored()).toEqual({ dedupe_header: 'X-Mine' });
  });

  it('a list is filtered by type and status, which survives a reload, and is for everybody', async () => {
    const looking = await signedIn(server, { account: 'looking' });
    const other = new Account(looking.client);
    const workflow = await other.workflow('Sync orders', [], 'DRAFT');
    await other.trigger(workflow, 'SCHEDULE', { cron: '0 9 * * 1', timezone: 'Asia/Tokyo' });
    const { id } = await other.trigger(workflow, 'WEBHOOK', { secret: 'hush' });
    const options = { path: '/triggers', as: looking, colorScheme: 'dark', width: 390 } as const;
    const { page, close } = await openDashboard(browser, server, options);
    const isFitForAll = async () => {
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()!.width);
    };
    await page.getByText('Signed POST to its webhook URL').waitFor();
    await isFitForAll();
    await page.getByRole('button', { name: 'New trigger' }).click();
    await page.getByRole('radio', { name: 'Schedule' }).click();
    await page.getByRole('dialog').getByText('At 09:00').waitFor();
    await isFitForAll();
    await page.goto(`/triggers/${id}`);
    await page.getByText('The workflow is still a draft').waitFor();
    await isFitForAll();
    await look(page, 'light', 1440);
    await isFitForAll();

    await page.goto('/triggers');
    await page.getByText('Signed POST to its webhook URL').waitFor();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Schedule' }).click();
    await page.getByText('Signed POST to its webhook URL').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('At 09:00, only on Monday (Asia/Tokyo)').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await isFitForAll();
    await page.goto('/triggers?type=schedule&status=error');
    await page.getByText('No trigger matches').waitFor();
    await close();
  });
});
