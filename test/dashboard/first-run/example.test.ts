import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';
import { inShell } from '../support/shell.js';

const EVERYTHING = `{
  workflows { items { id name status actions { name kind } } }
  triggers { items { workflowId type } }
  integrations { items { id type status } }
}`;

describeInBrowser('an example', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const accountOf = async (account: string): Promise<Account> =>
    new Account((await signedIn(server, { account })).client);

  const createExample = (page: Page) => page.getByRole('button', { name: 'Create an example' });

  it('is created with one click on the overview, and has run with the next', async () => {
    const account = await accountOf('new');
    const { page } = await pages.open(server, { as: { account: 'new' } });
    await createExample(page).dblclick();
    await page.waitForURL(/\/workflows\/wf_\w+\/actions$/);
    expect(await axe(page)).toEqual([]);
    const panel = page.getByRole('region', { name: 'Test run' });
    await panel.getByRole('button', { name: 'Run test' }).click();
    await panel.getByText('Succeeded').first().waitFor();
    const { workflows, triggers, integrations } = await account.ask(EVERYTHING);
    expect(workflows.items).toMatchObject([
      {
        name: 'Example: large order',
        status: 'ACTIVE',
        actions: [
          { name: 'large order', kind: 'CONDITION' },
          { name: 'contact', kind: 'APP_REQUEST' },
        ],
      },
    ]);
    expect(triggers.items).toEqual([{ workflowId: workflows.items[0].id, type: 'WEBHOOK' }]);
    expect(integrations.items).toMatchObject([{ type: 'sandbox_api_key', status: 'CONNECTED' }]);
    const { runs } = await account.ask('{ runs { items { steps { output } } } }');
    expect(runs.items).toHaveLength(1);
    expect(runs.items[0].steps.at(-1).output.body).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' });
  });

  it('does what it promises when its curl line is run', async () => {
    const account = await accountOf('in a shell');
    const { page } = await pages.open(server, { as: { account: 'in a shell' } });
    await createExample(page).click();
    await page.waitForURL(/\/workflows\/wf_\w+\/actions$/);
    await page.getByRole('main').getByRole('link', { name: 'Triggers' }).click();
    await page.getByRole('link', { name: 'POST to its webhook URL' }).click();
    const line = await page.getByRole('region', { name: 'curl line' }).innerText();
    const { run_id: run } = JSON.parse(await inShell(line));
    expect(await account.ended(run)).toBe('SUCCEEDED');
    const { run: ended } = await account.ask('query ($id: ID!) { run(id: $id) { steps { name status } } }', {
      id: run,
    });
    expect(ended.steps).toEqual([
      { name: 'large order', status: 'SUCCEEDED' },
      { name: 'contact', status: 'SUCCEEDED' },
    ]);
  });

  it('has a name and the connection of its own account, a second time too', async () => {
    const account = await accountOf('twice');
    const { page } = await pages.open(server, { as: { account: 'twice' }, path: '/workflows' });
    await createExample(page).click();
    await page.waitForURL(/\/workflows\/wf_\w+\/actions$/);
    await page.goto('/');
    await createExample(page).click();
    await page.getByRole('heading', { name: 'Example: large order 2', level: 1 }).waitFor();
    const { integrations } = await account.ask(EVERYTHING);
    expect(integrations.items).toHaveLength(1);
  });

  it('leaves nothing behind if it fails half way', async () => {
    const account = await accountOf('unlucky');
    const { page } = await pages.open(server, { as: { account: 'unlucky' } });
    await page.route('**/graphql', (route) => {
      const asked = route.request().postDataJSON() as { operationName?: string; variables: object };
      if (asked.operationName !== 'FillWorkflow') return route.fallback();
      // The service refuses the trigger, after it has saved the actions.
      const variables = { ...asked.variables, trigger: { workflowId: 'wf_none', type: 'WEBHOOK' } };
      return route.fallback({ postData: JSON.stringify({ ...asked, variables }) });
    });
    await createExample(page).click();
    await page.getByRole('alert').waitFor();
    expect(await account.ask(EVERYTHING)).toMatchObject({
      workflows: { items: [] },
      triggers: { items: [] },
      integrations: { items: [] },
    });
    await page.unrouteAll();
    await createExample(page).click();
    await page.waitForURL(/\/workflows\/wf_\w+\/actions$/);
  });

  it('takes effect whole or not at all, also while nothing can be deleted', async () => {
    const account = await accountOf('cut off');
    const { page } = await pages.open(server, { as: { account: 'cut off' } });
    await page.route('**/graphql', (route) => {
      const asked = route.request().postDataJSON() as { operationName?: string; variables: object };
      if (asked.operationName === 'DeleteWorkflow')
        return route.fulfill({ json: { data: null, errors: [{ message: 'Not now.' }] } });
      if (asked.operationName !== 'FillWorkflow') return route.fallback();
      const variables = { ...asked.variables, trigger: { workflowId: 'wf_none', type: 'WEBHOOK' } };
      return route.fallback({ postData: JSON.stringify({ ...asked, variables }) });
    });
    await createExample(page).click();
    await page.getByRole('alert').waitFor();
    expect((await account.ask(EVERYTHING)).workflows.items).toMatchObject([{ status: 'DRAFT', actions: [] }]);
  });
});
