import { addCopies } from '../support/runner/copies.js';
import { signedIn, type SignedIn } from '../support/worlds/people.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { ActionCards } from './action-cards.js';
import { axe } from './support/axe.js';
import { type OpenOptions, usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

const XSS = `<img src=x onerror="document.body.dataset.run='yes'">`;
const CREATE = 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }';

describeInBrowser('the page of a workflow', () => {
  let world: RunWorld;
  const pages = usePages();
  const clients = new Map<string, Promise<SignedIn>>();

  beforeAll(async () => {
    world = await RunWorld.open();
  });
  afterAll(() => world.close());

  /** Another user of the account, over the API. */
  function person(account: string): Promise<SignedIn> {
    const known = clients.get(account) ?? signedIn(world.server, { account });
    clients.set(account, known);
    return known;
  }

  const ask = async (account: string, document: string, variables: object = {}): Promise<any> => {
    const { client } = await person(account);
    const { body } = await client.graphql(document, variables as Record<string, unknown>);
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  async function workflow(account: string, input: object = {}): Promise<string> {
    return (await ask(account, CREATE, { input: { name: 'Welcome', ...input } })).createWorkflow.id;
  }

  const remove = (account: string, id: string) =>
    ask(account, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id });

  async function dashboard(account: string, path: string, options: OpenOptions = {}) {
    const opened = await pages.open(world.server, { path, as: { account }, ...options });
    return opened.page;
  }

  const statusOf = async (account: string, id: string) =>
    (await ask(account, 'query ($id: ID!) { workflow(id: $id) { status } }', { id })).workflow.status;

  it('moves the status, and says before what follows from it', async () => {
    const id = await workflow('moving');
    const page = await dashboard('moving', `/workflows/${id}`);
    await page.getByRole('button', { name: 'Status: draft. Change it' }).click();
    await page.getByRole('menuitem', { name: 'Activate' }).click();
    await page.locator('button:focus').getByText('Active').waitFor();
    await page.getByRole('button', { name: 'Status: active. Change it' }).click();
    await page.getByText('Schedules stop; events that arrive are recorded as skipped.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Status: paused. Change it' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Status: archived. Change it' }).waitFor();
    expect(await statusOf('moving', id)).toBe('ARCHIVED');
    await page.getByRole('button', { name: 'Test run' }).first().click();
    await page.getByText('The workflow is archived. Restore it to test it.').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run now' });
    await dialog.getByText('It is archived').waitFor();
    expect(await dialog.innerText()).not.toContain('Test run');
  });

  it('says that it was deleted elsewhere once an action finds out, and keeps unsaved actions for copying', async () => {
    const id = await workflow('deleted-elsewhere', { status: 'ACTIVE' });
    const edited = await workflow('deleted-elsewhere', { name: 'Edited', status: 'ACTIVE' });
    const page = await dashboard('deleted-elsewhere', `/workflows/${id}/settings`);
    const pause = async () => {
      await page.getByRole('button', { name: 'Status: active. Change it' }).click();
      await page.getByRole('menuitem', { name: 'Pause' }).click();
    };
    await page.getByRole('button', { name: 'Status: active. Change it' }).waitFor();
    await remove('deleted-elsewhere', id);
    await pause();
    await page.getByRole('heading', { name: 'There is no such workflow' }).waitFor();

    await page.goto(`/workflows/${edited}`);
    const delay = await new ActionCards(page).add('Delay', 'breathe');
    await delay.getByLabel('Wait', { exact: true }).fill('5');
    await remove('deleted-elsewhere', edited);
    await page.getByRole('button', { name: 'Save actions' }).click();
    await page.getByText('This workflow was deleted.').waitFor();
    expect(await page.getByRole('button', { name: /^Status: / }).count()).toBe(0);
    expect(await delay.getByLabel('Name', { exact: true }).inputValue()).toBe('breathe');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'There is no such workflow' }).waitFor();
  });

  it('fires it by hand; shows and creates what is missing for that', async () => {
    const id = await workflow('by-hand');
    const page = await dashboard('by-hand', `/workflows/${id}/settings`);
    await page.getByRole('button', { name: 'Run now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run now' });
    await dialog.getByText('No manual trigger yet').waitFor();
    await dialog.getByText('It is a draft').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByLabel('Input', { exact: true }).fill('{ "n": }');
    await dialog.getByRole('button', { name: 'Create trigger, activate and run' }).click();
    await dialog.getByText(/This is not valid JSON/).waitFor();
    await dialog.getByLabel('Input', { exact: true }).fill('{ "n": 12345678901234567890 }');
    await dialog.getByRole('button', { name: 'Create trigger, activate and run' }).click();
    await dialog.getByText(/^12345678901234567890 would be rounded to 12345678901234567000/).waitFor();
    await dialog.getByLabel('Input', { exact: true }).fill('{ "n": 7 }');
    await dialog.getByRole('button', { name: 'Create trigger, activate and run' }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    const read = 'query ($id: ID!) { workflow(id: $id) { triggers { items { id } } } }';
    const [made] = (await ask('by-hand', read, { id })).workflow.triggers.items;
    await addCopies(world.server, 'triggers', made.id, { count: 100, status: 'paused' });
    await page.goto(`/workflows/${id}`);
    await page.getByText('1 run, not counting skipped and test runs').waitFor();
    await page.getByRole('link', { name: 'Last run, succeeded' }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await dialog.getByRole('button', { name: 'Run now' }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    const { runs } = await ask('by-hand', 'query ($id: ID!) { runs(workflowId: $id) { items { input } } }', { id });
    expect(runs.items).toEqual([{ input: { n: 7 } }, { input: { n: 7 } }]);
  });

  it('fires it with one call; where that ended half way, the next makes nothing twice', async () => {
    const id = await workflow('half-way');
    const page = await dashboard('half-way', `/workflows/${id}/settings`);
    let calls = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation')) return route.continue();
      calls += 1;
      if (calls > 1) return route.continue();
      await ask('half-way', 'mutation ($id: ID!) { createTrigger(input: { workflowId: $id, type: MANUAL }) { id } }', {
        id,
      });
      return route.fulfill({ status: 503, body: '' });
    });
    await page.getByRole('button', { name: 'Run now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run now' });
    await dialog.getByRole('button', { name: 'Create trigger, activate and run' }).click();
    await dialog.getByText('No manual trigger yet').waitFor({ state: 'detached' });
    expect(calls).toBe(1);
    await dialog.getByRole('button', { name: 'Activate and run' }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    expect(calls).toBe(2);
    const { triggers } = await ask('half-way', '{ triggers { items { type } } }');
    expect(triggers.items).toEqual([{ type: 'MANUAL' }]);
  });

  it('counts a trigger that is made in its tab', async () => {
    const id = await workflow('fired');
    const page = await dashboard('fired', `/workflows/${id}/triggers`);
    await page.getByRole('button', { name: 'New trigger' }).click();
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.getByRole('radio', { name: 'Manual' }).click();
    await dialog.getByRole('button', { name: 'Create trigger' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Triggers' }).getByText('Manual').waitFor();
    await page.getByRole('navigation', { name: 'Workflow' }).getByRole('link', { name: 'Triggers 1' }).waitFor();
  });

  it('shows runs as they are made, by others too', async () => {
    const id = await workflow('live', { status: 'ACTIVE' });
    await ask('live', 'mutation ($id: ID!) { createTrigger(input: { workflowId: $id, type: MANUAL }) { id } }', { id });
    const page = await dashboard('live', `/workflows/${id}/runs`);
    await page.getByText('It has not run yet.').waitFor();
    await ask('live', 'mutation ($id: ID!) { runWorkflow(workflowId: $id) { id } }', { id });
    await page.getByRole('table', { name: 'Runs' }).getByText('Succeeded').waitFor();
    await page.getByText('1 run, not counting skipped and test runs').waitFor();
  });

  it('is renamed from its head, and the fault stands at the field', async () => {
    const id = await workflow('named', { description: 'Old' });
    const page = await dashboard('named', `/workflows/${id}`);
    await page.getByRole('button', { name: 'Edit name and description' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit workflow' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must not be empty.').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name' }).fill(XSS);
    await dialog.getByRole('textbox', { name: 'Description' }).fill('');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(XSS);
    expect(await page.title()).toBe(`${XSS} · Workflow Gateway`);
    await page.reload();
    await page.getByRole('heading', { name: XSS }).waitFor();
    expect(await page.getByText('Old').count()).toBe(0);
    expect(await page.evaluate(() => document.body.dataset.run)).toBeUndefined();
  });

  it('saves what was changed alone, beside what others have saved, and asks before that is left', async () => {
    const id = await workflow('shared', { description: 'Old' });
    const page = await dashboard('shared', `/workflows/${id}/settings`);
    const name = page.getByRole('textbox', { name: 'Name' });
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.fill('Mine');
    const rename = 'mutation ($id: ID!) { updateWorkflow(id: $id, input: { name: "Theirs" }) { id } }';
    await ask('shared', rename, { id });
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
    expect(await name.inputValue()).toBe('Theirs');
    await page.getByRole('navigation', { name: 'Workflow' }).getByRole('link', { name: 'Actions' }).click();
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leave.getByRole('button', { name: 'Cancel' }).click();
    await leave.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { workflow: saved } = await ask('shared', 'query ($id: ID!) { workflow(id: $id) { name description } }', {
      id,
    });
    expect(saved).toEqual({ name: 'Theirs', description: 'Mine' });
    await page.getByRole('navigation', { name: 'Workflow' }).getByRole('link', { name: 'Actions' }).click();
    await page.getByRole('heading', { name: 'Actions' }).waitFor();
  });

  it('is deleted once its name is typed, and says what goes with it', async () => {
    const id = await workflow('going', { status: 'ACTIVE' });
    const webhook = `mutation ($id: ID!) { createWebhook(input: { url: "${world.targetUrl}", events: ["run.failed"], workflowId: $id }) { secret } }`;
    await ask('going', webhook, { id });
    await ask('going', 'mutation ($id: ID!) { createTrigger(input: { workflowId: $id, type: WEBHOOK }) { id } }', {
      id,
    });
    const page = await dashboard('going', `/workflows/${id}/settings`);
    await page.getByRole('button', { name: 'Delete workflow' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “Welcome”?' });
    await dialog.getByText('1 trigger, with its URL or schedule').waitFor();
    await dialog.getByText('1 webhook, registered only for it').waitFor();
    const sure = dialog.getByRole('button', { name: 'Delete workflow' });
    expect(await sure.isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Welcome” to confirm').fill('Welcome');
    expect(await axe(page)).toEqual([]);
    await sure.click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await page.getByText('Create your first workflow').waitFor();
    await page.goto(`/workflows/${id}`);
    await page.getByRole('heading', { name: 'There is no such workflow' }).waitFor();
  });

  it("says that there is no such workflow, of others' too, and leads back", async () => {
    const foreign = await workflow('somebody-else');
    for (const id of ['nonsense', foreign]) {
      const page = await dashboard('lost', `/workflows/${id}/runs`);
      await page.getByRole('heading', { name: 'There is no such workflow', level: 1 }).waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByRole('link', { name: 'To all workflows' }).click();
      await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    }
  });

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('axe finds nothing on any tab in %s at %i px, and all fits', async (colorScheme, width) => {
    const account = `tabs-${colorScheme}`;
    const id = await workflow(account, { name: 'x'.repeat(255), description: `${XSS} ${'y'.repeat(300)}` });
    const page = await dashboard(account, `/workflows/${id}`, { colorScheme, width });
    for (const tab of ['Actions', 'Triggers', 'Runs', 'Settings']) {
      const link = page.getByRole('navigation', { name: 'Workflow' }).getByRole('link', { name: tab });
      await link.click();
      await link.and(page.locator('[aria-current=page]')).waitFor();
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
});
