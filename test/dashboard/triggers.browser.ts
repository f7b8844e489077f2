import { type Browser, type Page } from 'playwright-core';
import { type Client } from '../support/client.js';
import { signedIn } from '../support/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { axe } from './support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from './support/dashboard.js';
import { describeInBrowser } from './support/in-browser.js';
import { inShell } from './support/shell.js';

describeInBrowser('triggers in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let open: Dashboard[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
    // Once, so that no test waits for what the first page of a browser costs.
    await (await openDashboard(browser, server, { path: '/triggers' })).close();
  });
  afterEach(async () => {
    const opened = open;
    open = [];
    for (const dashboard of opened) await dashboard.close();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  async function dashboard(path: string, account: string, options: object = {}): Promise<Page> {
    const opened = await openDashboard(browser, server, { path, as: { account }, ...options });
    open.push(opened);
    return opened.page;
  }

  const workflowOf = async (client: Client, name: string, status = 'ACTIVE'): Promise<string> => {
    const made = await client.graphql(
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      { input: { name, status } },
    );
    return made.body.data.createWorkflow.id as string;
  };

  const triggerOf = async (client: Client, workflowId: string, type: string, config: object = {}) => {
    const made = await client.graphql(
      'mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { id webhookUrl } }',
      { input: { workflowId, type, config } },
    );
    return made.body.data.createTrigger as { id: string; webhookUrl: string };
  };

  /** Opens the dialog and chooses the workflow and the type. */
  async function beginTrigger(page: Page, workflow: string, type: string) {
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.getByLabel('Workflow').click();
    await page.getByRole('option', { name: workflow }).click();
    await dialog.getByRole('radio', { name: type }).click();
    return dialog;
  }

  /** The whole text of a block of code. */
  const codeOf = (page: Page, label: string) => page.getByRole('region', { name: label, exact: true }).innerText();

  // The longest have more time than others, for machines that do much else.
  it('a schedule is made with its words and next times before one’s eyes', async () => {
    const { client } = await signedIn(server, { account: 'schedulers' });
    await workflowOf(client, 'Nightly report');
    const page = await dashboard('/triggers', 'schedulers');
    await page.getByText('Nothing fires yet').waitFor();
    const dialog = await beginTrigger(page, 'Nightly report', 'Schedule');
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
    expect(await times.getByRole('row').nth(1).innerText()).toMatch(/^\w+,? \d+ \w+, 06:30\s+\w+,? \d+ \w+, 1[01]:30$/);
    await dialog.getByRole('radio', { name: 'Catch up once' }).click();
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('The trigger is there').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').nth(1);
    expect(await row.innerText()).toMatch(/At 06:30, Monday through Friday \(America\/New_York\)/);
    const { body } = await client.graphql('{ triggers { items { config } } }');
    expect(body.data.triggers.items).toEqual([
      { config: { cron: '30 6 * * 1-5', timezone: 'America/New_York', catch_up: 'last' } },
    ]);
  });

  it('a webhook is made, fired by the line that it gives, and its run comes by itself', async () => {
    const { client } = await signedIn(server, { account: 'hookers' });
    await workflowOf(client, 'Sync orders');
    const page = await dashboard('/triggers', 'hookers');
    const dialog = await beginTrigger(page, 'Sync orders', 'Webhook');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Each post to its address makes a run.').waitFor();
    expect(await axe(page)).toEqual([]);
    const line = await codeOf(page, 'curl line');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const socket = page.waitForEvent('websocket');
    await page.goto('/runs');
    await (await socket).waitForEvent('framesent', ({ payload }) => payload.toString().includes('RunChanges'));
    await page.getByText('No runs yet').waitFor();
    expect(JSON.parse(await inShell(line))).toMatchObject({ accepted: true });
    await page.getByRole('link', { name: 'Sync orders' }).click();
    await page.getByRole('heading', { name: 'Run of Sync orders' }).waitFor();
    await page.getByText('The workflow had no actions: there was nothing to do.').waitFor();
    expect(JSON.parse(await codeOf(page, 'Input of the run'))).toEqual({ hello: 'world' });
  });

  it('a webhook with a secret gives a line that signs', async () => {
    const { client } = await signedIn(server, { account: 'signers' });
    await workflowOf(client, 'Signed orders');
    const page = await dashboard('/triggers', 'signers');
    const dialog = await beginTrigger(page, 'Signed orders', 'Webhook');
    await dialog.getByLabel('Signing secret (optional)').fill(`it's "$HOME" \\secret`);
    await dialog.getByLabel('Deduplication header (optional)').fill('not a header');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Must be the name of an HTTP header.').waitFor();
    await dialog.getByLabel('Deduplication header (optional)').fill('X-Delivery-Id');
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('The trigger is there').waitFor();
    const line = await codeOf(page, 'curl line');
    expect(JSON.parse(await inShell(line))).toMatchObject({ accepted: true });
    const unsigned = await fetch(await codeOf(page, 'Address'), { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(401);
  });

  it('an event of the sandbox fires what waits for it, and for such a payload', async () => {
    const { client } = await signedIn(server, { account: 'listeners' });
    await workflowOf(client, 'Greet contacts');
    const connected = await client.graphql(
      `mutation { connectIntegration(input: { type: "sandbox_api_key", label: "Sales", credentials: { api_key: "sandbox_valid_key" } }) {
         ... on Integration { id eventsUrl eventsSecret } } }`,
    );
    const { eventsUrl, eventsSecret } = connected.body.data.connectIntegration;
    const page = await dashboard('/triggers', 'listeners');
    const dialog = await beginTrigger(page, 'Greet contacts', 'App event');
    await dialog.getByLabel('Connection').click();
    await page.getByRole('option', { name: /Sales/ }).click();
    await dialog.getByRole('combobox', { name: 'Event' }).click();
    await page.getByRole('option', { name: 'item.created' }).click();
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    await dialog.getByLabel('Path 1').fill('item.kind');
    await dialog.getByLabel('Value 1').fill('book');
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByText('Each “item.created” of Sales, filtered makes a run.').waitFor();
    expect(await codeOf(page, 'Events address')).toBe(eventsUrl);
    await dialog.getByRole('link', { name: 'Open trigger' }).click();
    await page.getByText('No runs yet').waitFor();
    for (const kind of ['record', 'book']) {
      const payload = { item: { kind } };
      await client.send('POST', '/sandbox/events', {
        body: { url: eventsUrl, secret: eventsSecret, event: 'item.created', payload },
      });
    }
    await page.reload();
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').click();
    expect(JSON.parse(await codeOf(page, 'Input of the run'))).toEqual({ item: { kind: 'book' } });
    await page.goBack();
    await client.graphql('mutation ($id: ID!) { disconnectIntegration(id: $id) { id } }', {
      id: connected.body.data.connectIntegration.id,
    });
    await page.reload();
    await page.getByText('It cannot fire').waitFor();
    await page.getByRole('alert').getByRole('link', { name: '“Sales”' }).waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('rests while it is paused, which a skipped run says, and is resumed and deleted', async () => {
    const { client } = await signedIn(server, { account: 'pausers' });
    const { id, webhookUrl } = await triggerOf(client, await workflowOf(client, 'Orders'), 'WEBHOOK');
    const page = await dashboard(`/triggers/${id}`, 'pausers');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('It is paused').waitFor();
    await fetch(webhookUrl, { method: 'POST', body: '{}' });
    await page.getByText('The trigger was paused when it fired.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('It is paused').waitFor({ state: 'detached' });
    await page.getByLabel('Deduplication header (optional)').fill('X-Id');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete this trigger?' });
    await asked.getByText('Its address is gone for good').waitFor();
    await asked.getByRole('button', { name: 'Delete trigger' }).click();
    await page.waitForURL('**/triggers');
    await page.getByText('Nothing fires yet').waitFor();
    await page.goto(`/triggers/${id}`);
    await page.getByRole('heading', { name: 'There is no such trigger' }).waitFor();
  });

  it('is fired by hand with an input of one’s own', async () => {
    const { client } = await signedIn(server, { account: 'firers' });
    const { id } = await triggerOf(client, await workflowOf(client, 'By hand'), 'MANUAL');
    const page = await dashboard(`/triggers/${id}`, 'firers');
    await page.getByRole('button', { name: 'Fire now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fire “By hand”' });
    await dialog.getByLabel('Input').fill('{ "a": }');
    await dialog.getByRole('button', { name: 'Fire now' }).click();
    await dialog.getByText('This is not valid JSON: unexpected token').waitFor();
    await dialog.getByLabel('Input').fill('{ "a": [1, null] }');
    await dialog.getByRole('button', { name: 'Fire now' }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    await page.getByText('Succeeded').first().waitFor();
    expect(JSON.parse(await codeOf(page, 'Input of the run'))).toEqual({ a: [1, null] });
  });

  describe('for everybody', () => {
    const account = 'looking';
    let hook: string;
    beforeAll(async () => {
      const { client } = await signedIn(server, { account });
      const workflow = await workflowOf(client, 'Sync orders', 'DRAFT');
      await triggerOf(client, workflow, 'SCHEDULE', { cron: '0 9 * * 1', timezone: 'Asia/Tokyo' });
      hook = (await triggerOf(client, workflow, 'WEBHOOK', { secret: 'hush' })).id;
    });

    it('a list is filtered by type and status, which survives a reload', async () => {
      const page = await dashboard('/triggers', account);
      await page.getByText('A signed POST to its address').waitFor();
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name: 'Schedule' }).click();
      await page.getByText('A signed POST to its address').waitFor({ state: 'detached' });
      await page.reload();
      await page.getByText('At 09:00, only on Monday (Asia/Tokyo)').waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      await page.goto('/triggers?type=schedule&status=error');
      await page.getByText('No trigger matches').waitFor();
    });

    it.each([
      ['light', 1440],
      ['dark', 390],
    ] as const)('axe finds nothing in %s at %i px, and nothing is too wide', async (colorScheme, width) => {
      const page = await dashboard('/triggers', account, { colorScheme, width });
      const isNotWider = async () =>
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.getByText('A signed POST to its address').waitFor();
      expect(await axe(page)).toEqual([]);
      await isNotWider();
      await page.getByRole('button', { name: 'New trigger' }).click();
      await page.getByRole('dialog').getByText('At 09:00').waitFor();
      expect(await axe(page)).toEqual([]);
      await page.goto(`/triggers/${hook}`);
      await page.getByText('The workflow is still a draft').waitFor();
      expect(await axe(page)).toEqual([]);
      await isNotWider();
    });
  });
});
