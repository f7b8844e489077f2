import { type Browser, type Page } from 'playwright-core';
import { addCopies } from '../support/runner/copies.js';
import { signedIn } from '../support/worlds/people.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { ActionCards } from './action-cards.js';
import { Account } from './support/account.js';
import { look } from './looks.js';
import { axe } from './support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from './support/dashboard.js';
import { until } from '../support/until.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

const XSS = `<img src=x onerror="document.title='run'">`;

describeInBrowser("the editor of a workflow's actions", () => {
  let world: RunWorld;
  let browser: Browser;
  /** Another user of the account, over the API. */
  let account: Account;
  /** One for all tests: opening a page again costs more than using it. */
  let dashboard: Dashboard;
  let page: Page;
  let cards: ActionCards;

  beforeAll(async () => {
    [world, browser] = await Promise.all([RunWorld.open(), launchBrowser()]);
    world.reply = () => ({ body: { customer: { id: 'c_42', note: XSS } } });
    const person = await signedIn(world.server);
    account = new Account(person.client);
    dashboard = await openDashboard(browser, world.server, { path: '/workflows', as: person });
    page = dashboard.page;
    cards = new ActionCards(page);
  });
  afterEach(async () => {
    await page.unrouteAll();
    expect(dashboard.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** A new workflow's editor. @returns the id of the workflow. */
  async function editor(actions: readonly object[]): Promise<string> {
    const id = await account.workflow('Welcome', actions, 'DRAFT');
    await page.goto(`/workflows/${id}`);
    await page.getByRole('heading', { name: 'Actions' }).waitFor();
    return id;
  }

  const setActions = (id: string, actions: readonly object[]) =>
    account.ask(
      'mutation ($id: ID!, $actions: [ActionInput!]!) { setWorkflowActions(workflowId: $id, actions: $actions) { id } }',
      { id, actions },
    );

  async function savedActions(id: string): Promise<any[]> {
    const read = 'query ($id: ID!) { workflow(id: $id) { actions { name kind config } } }';
    return (await account.ask(read, { id })).workflow.actions;
  }

  it('adds an action of each kind, and saves what stands in their forms', async () => {
    const connect = `mutation { connectIntegration(input: { type: "sandbox_api_key", label: "The shop", credentials: { api_key: "sandbox_valid_key" } }) { ... on Integration { id } } }`;
    const { id: shop } = (await account.ask(connect)).connectIntegration;
    // It comes on the second page of them.
    await addCopies(world.server, 'integrations', shop, { count: 100, name: 'Other', status: 'disconnected' });
    const id = await editor([]);
    await page.getByText('What should it do?').waitFor();

    const request = await cards.add('HTTP request', 'fetch');
    await cards.choose(request, 'Method', 'POST');
    await request.getByLabel('URL', { exact: true }).fill('https://api.example.com/orders');
    await request.getByRole('button', { name: 'Add header' }).click();
    await request.getByLabel('Name of header 1').fill('x-source');
    await request.getByRole('textbox', { name: 'Value of header 1' }).fill('gateway');
    await request.getByText('JSON', { exact: true }).click();
    await request.getByLabel('JSON body', { exact: true }).fill('{ "n": {{ trigger.body.n }} }');

    const app = await cards.add('App request', 'shop');
    await cards.choose(app, 'Connection', 'The shop (sandbox_api_key)');
    await app.getByText(`The path follows ${world.server.baseUrl}/sandbox.`).waitFor();
    await app.getByRole('link', { name: 'Its endpoints' }).waitFor();
    await app.getByLabel('Path', { exact: true }).fill('/v1/items');

    const condition = await cards.add('Condition', 'is large');
    await condition.getByLabel('Continue only if', { exact: true }).fill('trigger.body.amount');
    const type = condition.getByRole('combobox', { name: 'Type', exact: true });
    await condition.getByLabel('Value', { exact: true }).fill('100 EUR');
    expect(await type.inputValue()).toBe('Text');
    await condition.getByText('trigger.body.amount equals “100 EUR”').waitFor();
    await condition.getByLabel('Value', { exact: true }).fill('100');
    expect(await type.inputValue()).toBe('Number');
    await condition.getByLabel('Value', { exact: true }).fill('');
    await cards.choose(condition, 'Operator', 'is greater than');
    expect(await type.inputValue()).toBe('Number');
    await condition.getByLabel('Value', { exact: true }).fill('100');
    await condition.getByText('trigger.body.amount is greater than 100').waitFor();

    const delay = await cards.add('Delay', 'breathe');
    await delay.getByLabel('Wait', { exact: true }).fill('5');
    await cards.choose(delay, 'Unit', 'minutes');

    const mail = await cards.add('Send email', 'tell');
    await mail.getByLabel('Recipient 1', { exact: true }).fill('ada@example.com');
    await mail.getByRole('button', { name: 'Add recipient' }).click();
    await mail.getByLabel('Recipient 2', { exact: true }).fill('{{ trigger.body.email }}');
    await mail.getByLabel('Subject', { exact: true }).fill('Hello');
    await mail.getByLabel('Text', { exact: true }).last().fill('It is done.');

    await cards.save();
    const expected = [
      {
        name: 'fetch',
        kind: 'HTTP_REQUEST',
        config: {
          method: 'POST',
          url: 'https://api.example.com/orders',
          headers: { 'x-source': 'gateway' },
          body: { n: '{{ trigger.body.n }}' },
        },
      },
      {
        name: 'shop',
        kind: 'APP_REQUEST',
        config: { integration_id: shop, method: 'GET', path: '/v1/items' },
      },
      {
        name: 'is large',
        kind: 'CONDITION',
        config: { path: 'trigger.body.amount', operator: 'greater_than', value: 100 },
      },
      { name: 'breathe', kind: 'DELAY', config: { seconds: 300 } },
      {
        name: 'tell',
        kind: 'SEND_EMAIL',
        config: { to: ['ada@example.com', '{{ trigger.body.email }}'], subject: 'Hello', text: 'It is done.' },
      },
    ];
    expect(await savedActions(id)).toEqual(expected);

    await page.reload();
    await page.getByRole('button', { name: 'breathe' }).first().click();
    expect(await page.getByLabel('Wait', { exact: true }).inputValue()).toBe('5');
    expect(await page.getByRole('combobox', { name: 'Unit' }).inputValue()).toBe('minutes');
    await page.getByText('All changes are saved').waitFor();
  });

  it('shows each fault of the service at its field, and moves to the first', async () => {
    await editor([delayed('first')]);
    const card = await cards.add('HTTP request', 'a.b');
    await card.getByLabel('URL', { exact: true }).fill('ftp://example.com');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await card.getByText('2 errors').waitFor();
    await card.getByText('Must not contain dots, braces, line breaks or space at its ends.').waitFor();
    await card.getByText('Must start with http:// or https://.').waitFor();
    expect(await card.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
    expect(await axe(page)).toEqual([]);
    await card.getByLabel('Name', { exact: true }).fill('ab');
    await card.getByText('1 error').waitFor();
    await card.getByText('JSON', { exact: true }).click();
    await card.getByLabel('JSON body', { exact: true }).fill('{ a: 1 }');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await card.getByText(/^This is not valid JSON: .*, line 1, column 3\.$/).waitFor();
    await card.getByLabel('JSON body', { exact: true }).fill('{ "dup": 1, "dup": 2 }');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await card.getByText('The name dup stands twice, line 1, column 13.').waitFor();
  });

  it('reorders by the keyboard, duplicates, removes and brings back', async () => {
    const id = await editor([delayed('a'), delayed('b'), delayed('c')]);
    await page.getByRole('button', { name: 'Move c up' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await cards.become('1 c', '2 a', '3 b');
    await page.getByText('c is now 1 of 3.').waitFor();
    await page.getByRole('button', { name: 'Duplicate a' }).click();
    await page.getByRole('button', { name: 'Remove b' }).click();
    await cards.become('1 c', '2 a', '3 a 2');
    await cards.save();
    expect((await savedActions(id)).map(({ name }) => name)).toEqual(['c', 'a', 'a 2']);
    await page.getByRole('button', { name: 'Remove a', exact: true }).click();
    await page.getByText('“a” was removed.').waitFor();
    await page.getByRole('button', { name: 'Remove c' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await cards.become('1 c', '2 a 2');
    await page.getByRole('button', { name: 'Discard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard your changes?' });
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('All changes are saved').waitFor();
    await cards.become('1 c', '2 a', '3 a 2');
  });

  it('offers, after a test run, what its steps brought, and puts it in at the caret', async () => {
    await editor([
      {
        name: 'customer',
        kind: 'HTTP_REQUEST',
        config: { method: 'POST', url: world.targetUrl, body: { n: '{{ trigger.body.n }}' } },
      },
      { name: 'mail', kind: 'SEND_EMAIL', config: { to: ['ada@example.com'], subject: 'Hi !', text: '' } },
    ]);
    await page.getByRole('button', { name: 'Test run' }).first().click();
    const panel = page.getByRole('region', { name: 'Test run' });
    await panel.getByLabel('Input', { exact: true }).fill('{ "n": 7 }');
    await panel.getByRole('button', { name: 'Run test' }).click();
    await panel.getByRole('status').getByText('Succeeded').waitFor();
    expect(world.received.at(-1)?.body).toBe('{"n":7}');
    const customer = panel.getByRole('button', { name: /^customer/ });
    const output = panel.getByRole('region', { name: 'Output of customer' }).getByText(XSS.replaceAll('"', '\\"'));
    // The panel opens and closes steps while updates of the run arrive.
    await until(async () => {
      if ((await customer.getAttribute('aria-expanded')) !== 'true') await customer.click();
      return output.isVisible();
    });

    await page.getByRole('button', { name: /^2 mail/ }).click();
    const subject = page.getByLabel('Subject', { exact: true });
    await subject.evaluate((field: HTMLInputElement) => field.setSelectionRange(3, 3));
    await page.getByRole('button', { name: 'Insert a value into Subject' }).click();
    const options = page.getByRole('listbox', { name: 'Values for Subject' });
    expect(await options.getByRole('option', { name: 'steps.customer.body.customer.note' }).innerText()).toContain(XSS);
    expect(await options.getByRole('option', { name: 'steps.mail' }).count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await page.getByPlaceholder('Find a value').fill('c_42');
    await page.keyboard.press('Enter');
    expect(await subject.inputValue()).toBe('Hi {{ steps.customer.body.customer.id }}!');
    await subject.press('Control+A');
    await page.keyboard.type('To {{');
    await page.getByPlaceholder('Find a value').fill('trigger.body.n');
    await page.keyboard.press('Enter');
    expect(await subject.inputValue()).toBe('To {{ trigger.body.n }}');
    expect(await page.title()).toBe('Welcome · Workflow Gateway');
  });

  it('saves first where one wants that, and shows what failed', async () => {
    const id = await editor([{ name: 'call', kind: 'HTTP_REQUEST', config: { method: 'GET', url: world.targetUrl } }]);
    await page.getByRole('button', { name: /^1 call/ }).click();
    await page.getByLabel('URL', { exact: true }).fill('{{ trigger.body.nowhere }}');
    await page.getByRole('button', { name: 'Test run' }).first().click();
    const panel = page.getByRole('region', { name: 'Test run' });
    await panel.getByRole('button', { name: 'Save and run' }).click();
    await panel.getByRole('status').getByText('Failed').waitFor();
    await panel.getByText('trigger.body.nowhere').first().waitFor();
    expect((await savedActions(id))[0].config.url).toBe('{{ trigger.body.nowhere }}');
  });

  it('offers to change the placeholders that name a renamed action', async () => {
    const id = await editor([
      delayed('old name'),
      { name: 'go', kind: 'CONDITION', config: { path: 'steps.old name.waited_until', operator: 'exists' } },
      {
        name: 'mail',
        kind: 'SEND_EMAIL',
        config: { to: ['a@b.example'], subject: '{{ steps.old name.waited_until }}', text: '\\{{ steps.old name }}' },
      },
    ]);
    await page.getByRole('button', { name: /^1 old name/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('new');
    await page.keyboard.press('Tab');
    await page.getByText('2 placeholders still say “old name”.').waitFor();
    await page.getByRole('button', { name: 'Change to “new”' }).click();
    await cards.save();
    const [, go, mail] = await savedActions(id);
    expect(go.config.path).toBe('steps.new.waited_until');
    expect(mail.config).toMatchObject({ subject: '{{ steps.new.waited_until }}', text: '\\{{ steps.old name }}' });
  });

  it('asks before it overwrites the actions that another user has saved', async () => {
    const id = await editor([delayed('mine')]);
    const dialog = page.getByRole('dialog', { name: 'These actions were changed elsewhere' });
    const saved = async () => (await savedActions(id)).map(({ name }) => name as string);
    await page.getByRole('button', { name: 'Duplicate mine' }).click();
    // While ours is on its way, which is too late for any look before.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('SaveActions')) await setActions(id, [delayed('theirs')]);
      await route.fallback();
    });
    await page.getByRole('button', { name: 'Save actions' }).click();
    await dialog.waitFor();
    await page.unroute('**/graphql');
    expect(await axe(page)).toEqual([]);
    expect(await saved()).toEqual(['theirs']);
    await dialog.getByRole('button', { name: 'Replace theirs' }).click();
    await page.getByText('All changes are saved').waitFor();
    expect(await saved()).toEqual(['mine', 'mine 2']);
    await page.getByRole('button', { name: 'Remove mine 2' }).click();
    await setActions(id, [delayed('theirs again')]);
    await page.keyboard.press('Control+s');
    await dialog.getByRole('button', { name: 'Discard mine, show theirs' }).click();
    await cards.become('1 theirs again');
    await page.getByText('All changes are saved').waitFor();
  });

  it('saves over the same actions set once more without a question', async () => {
    const id = await editor([delayed('a')]);
    await page.getByRole('button', { name: 'Duplicate a' }).click();
    await setActions(id, [delayed('a')]);
    await cards.save();
    expect(await savedActions(id)).toHaveLength(2);
  });

  it('keeps what is not saved between the tabs, and asks before it is left behind', async () => {
    await editor([delayed('a')]);
    await page.getByRole('button', { name: 'Duplicate a' }).click();
    const tabs = page.getByRole('navigation', { name: 'Workflow' });
    await tabs.getByRole('link', { name: 'Settings' }).click();
    await tabs.getByRole('img', { name: 'unsaved changes' }).waitFor();
    await dashboard.context.setOffline(true);
    await tabs.getByRole('link', { name: 'Triggers' }).click();
    await page.getByText('This page could not be loaded').waitFor();
    await dashboard.context.setOffline(false);
    dashboard.complaints.splice(0);
    await tabs.getByRole('link', { name: 'Actions' }).click();
    await cards.become('1 a', '2 a 2');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await cards.become('1 a', '2 a 2');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
    await dialog.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  });

  it('shows open forms of each kind to everybody, in light and dark, wide and narrow', async () => {
    await editor([
      {
        name: 'x'.repeat(200),
        kind: 'HTTP_REQUEST',
        config: { method: 'POST', url: world.targetUrl, headers: { a: 'b' }, body: { XSS } },
      },
      { name: XSS.replace('.', ''), kind: 'CONDITION', config: { path: 'run.id', operator: 'equals', value: XSS } },
      { name: 'wait', kind: 'DELAY', config: { seconds: 1 } },
      {
        name: 'mail',
        kind: 'SEND_EMAIL',
        config: { to: ['a@b.example'], subject: XSS, text: '{{ steps.wait.waited_until }}' },
      },
    ]);
    await cards.openAll();
    await page.getByRole('textbox', { name: 'Name', exact: true }).nth(2).fill('rest');
    await page.keyboard.press('Tab');
    await page.getByText('1 placeholder still says “wait”.').waitFor();
    await page.getByRole('button', { name: 'Test run' }).first().click();
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      await look(page, colorScheme, width);
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
});

function delayed(name: string): object {
  return { name, kind: 'DELAY', config: { seconds: 1 } };
}
