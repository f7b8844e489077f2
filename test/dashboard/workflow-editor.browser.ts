import { type Browser, type Locator, type Page } from 'playwright-core';
import { signedIn, type SignedIn } from '../support/people.js';
import { RunWorld } from '../support/run-world.js';
import { axe } from './support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from './support/dashboard.js';
import { until } from '../support/until.js';
import { describeInBrowser } from './support/in-browser.js';

const XSS = `<img src=x onerror="document.title='run'">`;

describeInBrowser("the editor of a workflow's actions", () => {
  let world: RunWorld;
  let browser: Browser;
  let open: Dashboard[] = [];
  const clients = new Map<string, Promise<SignedIn>>();

  beforeAll(async () => {
    [world, browser] = await Promise.all([RunWorld.open(), launchBrowser()]);
    world.reply = () => ({ body: { customer: { id: 'c_42', note: XSS } } });
  });
  afterEach(async () => {
    const opened = open;
    open = [];
    for (const dashboard of opened) await dashboard.close();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** Somebody else of the account, who uses the API. */
  function person(account: string): Promise<SignedIn> {
    const known = clients.get(account) ?? signedIn(world.server, { account });
    clients.set(account, known);
    return known;
  }

  /** A workflow in an account of its own, and its editor. */
  async function editor(
    account: string,
    actions: readonly object[],
    options: Parameters<typeof openDashboard>[2] = {},
  ) {
    const id = await workflow(account, actions);
    const opened = await openDashboard(browser, world.server, {
      path: `/workflows/${id}`,
      as: { account },
      ...options,
    });
    open.push(opened);
    await opened.page.getByRole('heading', { name: 'Actions' }).waitFor();
    return { id, page: opened.page };
  }

  async function workflow(account: string, actions: readonly object[]): Promise<string> {
    const { client } = await person(account);
    const create = 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }';
    const made = await client.graphql(create, { input: { name: 'Welcome' } });
    const { id } = made.body.data.createWorkflow;
    await setActions(account, id, actions);
    return id;
  }

  async function setActions(account: string, id: string, actions: readonly object[]): Promise<void> {
    const { client } = await person(account);
    const set =
      'mutation ($id: ID!, $actions: [ActionInput!]!) { setWorkflowActions(workflowId: $id, actions: $actions) { id } }';
    const { body } = await client.graphql(set, { id, actions });
    expect(body.errors).toBeUndefined();
  }

  async function savedActions(account: string, id: string): Promise<any[]> {
    const { client } = await person(account);
    const { body } = await client.graphql('query ($id: ID!) { workflow(id: $id) { actions { name kind config } } }', {
      id,
    });
    return body.data.workflow.actions;
  }

  /** Adds an action of a kind and gives its card. */
  async function add(page: Page, kind: string, name: string): Promise<Locator> {
    const item = page.getByRole('menuitem', { name: kind });
    // The page may move under the pointer while the card before is still being drawn.
    await until(async () => {
      if (!(await item.isVisible())) await page.getByRole('button', { name: 'Add action' }).click();
      return item.click({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    }, 60_000);
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByLabel('Name', { exact: true }) })
      .last();
    await card.getByLabel('Name', { exact: true }).fill(name);
    return card;
  }

  async function choose(card: Locator, label: string, option: string): Promise<void> {
    await card.getByRole('combobox', { name: label, exact: true }).click();
    await card.page().getByRole('option', { name: option, exact: true }).click();
  }

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save actions' }).click();
    await page.getByText('All changes are saved').waitFor();
  }

  const cards = (page: Page) => page.getByRole('heading', { level: 3 });
  const names = async (page: Page) => (await cards(page).allInnerTexts()).map((text) => text.split('\n')[0]!.trim());

  it('adds an action of each kind, and saves what stands in their forms', async () => {
    const { client } = await person('all-kinds');
    const connect = `mutation { connectIntegration(input: { type: "sandbox_api_key", label: "The shop", credentials: { api_key: "sandbox_valid_key" } }) { ... on Integration { id } } }`;
    const connected = await client.graphql(connect);
    const { id, page } = await editor('all-kinds', []);
    await page.getByText('What shall it do?').waitFor();

    const request = await add(page, 'HTTP request', 'fetch');
    await choose(request, 'Method', 'POST');
    await request.getByLabel('URL', { exact: true }).fill('https://api.example.com/orders');
    await request.getByRole('button', { name: 'Add header' }).click();
    await request.getByLabel('Name of header 1').fill('x-source');
    await request.getByRole('textbox', { name: 'Value of header 1' }).fill('gateway');
    await request.getByText('JSON', { exact: true }).click();
    await request.getByLabel('JSON body', { exact: true }).fill('{ "n": {{ trigger.body.n }} }');

    const app = await add(page, 'App request', 'shop');
    await choose(app, 'Connection', 'The shop (sandbox_api_key)');
    await app.getByLabel('Path', { exact: true }).fill('/v1/items');

    const condition = await add(page, 'Condition', 'is large');
    await condition.getByLabel('Go on only if', { exact: true }).fill('trigger.body.amount');
    await choose(condition, 'Operator', 'is greater than');
    await choose(condition, 'Type', 'Number');
    await condition.getByLabel('Value', { exact: true }).fill('100');

    const delay = await add(page, 'Delay', 'breathe');
    await delay.getByLabel('Wait', { exact: true }).fill('5');
    await choose(delay, 'Unit', 'minutes');

    const mail = await add(page, 'Send e-mail', 'tell');
    await mail.getByLabel('Recipient 1', { exact: true }).fill('ada@example.com');
    await mail.getByRole('button', { name: 'Add recipient' }).click();
    await mail.getByLabel('Recipient 2', { exact: true }).fill('{{ trigger.body.email }}');
    await mail.getByLabel('Subject', { exact: true }).fill('Hello');
    await mail.getByLabel('Text', { exact: true }).last().fill('It is done.');
    expect(await axe(page)).toEqual([]);

    await save(page);
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
        config: { integration_id: connected.body.data.connectIntegration.id, method: 'GET', path: '/v1/items' },
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
    expect(await savedActions('all-kinds', id)).toEqual(expected);

    await page.reload();
    await page.getByRole('button', { name: 'breathe' }).first().click();
    expect(await page.getByLabel('Wait', { exact: true }).inputValue()).toBe('5');
    expect(await page.getByRole('combobox', { name: 'Unit' }).inputValue()).toBe('minutes');
    await page.getByText('All changes are saved').waitFor();
  });

  it('shows each fault of the service at its field, and moves to the first', async () => {
    const { page } = await editor('faulty', [delayed('first')]);
    const card = await add(page, 'HTTP request', 'a.b');
    await card.getByLabel('URL', { exact: true }).fill('ftp://example.com');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await card.getByText('2 faults').waitFor();
    await card.getByText('Must not contain dots, braces, line breaks or space at its ends.').waitFor();
    await card.getByText('Must start with http:// or https://.').waitFor();
    expect(await card.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
    expect(await axe(page)).toEqual([]);
    await card.getByLabel('Name', { exact: true }).fill('ab');
    await card.getByText('1 fault').waitFor();
    await card.getByText('JSON', { exact: true }).click();
    await card.getByLabel('JSON body', { exact: true }).fill('{ a: 1 }');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await card.getByText(/^This is not valid JSON: .*, line 1, column 3\.$/).waitFor();
  });

  it('reorders by the keyboard, duplicates, removes and brings back', async () => {
    const { id, page } = await editor('ordered', [delayed('a'), delayed('b'), delayed('c')]);
    await page.getByRole('button', { name: 'Move c up' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await names(page)).toEqual(['1 c', '2 a', '3 b']);
    await page.getByText('c is now 1 of 3.').waitFor();
    await page.getByRole('button', { name: 'Duplicate a' }).click();
    await page.getByRole('button', { name: 'Remove b' }).click();
    expect(await names(page)).toEqual(['1 c', '2 a', '3 a 2']);
    await save(page);
    expect((await savedActions('ordered', id)).map(({ name }) => name)).toEqual(['c', 'a', 'a 2']);
    await page.getByRole('button', { name: 'Remove a', exact: true }).click();
    await page.getByText('“a” was removed.').waitFor();
    await page.getByRole('button', { name: 'Remove c' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await names(page)).toEqual(['1 c', '2 a 2']);
    await page.getByRole('button', { name: 'Discard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard your changes?' });
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('All changes are saved').waitFor();
    expect(await names(page)).toEqual(['1 c', '2 a', '3 a 2']);
  });

  it('offers, after a test run, what its steps brought, and puts it in at the caret', async () => {
    const { page } = await editor('tested', [
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
    await until(async () => {
      if ((await customer.getAttribute('aria-expanded')) !== 'true') await customer.click();
      return (await customer.getAttribute('aria-expanded')) === 'true';
    }, 60_000);
    await panel.getByRole('region', { name: 'Output of customer' }).getByText(XSS.replaceAll('"', '\\"')).waitFor();
    expect(await axe(page)).toEqual([]);

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
    const { id, page } = await editor('saved-first', [
      { name: 'call', kind: 'HTTP_REQUEST', config: { method: 'GET', url: world.targetUrl } },
    ]);
    await page.getByRole('button', { name: /^1 call/ }).click();
    await page.getByLabel('URL', { exact: true }).fill('{{ trigger.body.nowhere }}');
    await page.getByRole('button', { name: 'Test run' }).first().click();
    const panel = page.getByRole('region', { name: 'Test run' });
    await panel.getByRole('button', { name: 'Save and run' }).click();
    await panel.getByRole('status').getByText('Failed').waitFor();
    await panel.getByText('trigger.body.nowhere').first().waitFor();
    expect((await savedActions('saved-first', id))[0].config.url).toBe('{{ trigger.body.nowhere }}');
  });

  it('offers to change the placeholders that name a renamed action', async () => {
    const { id, page } = await editor('renamed', [
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
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change to “new”' }).click();
    await save(page);
    const [, go, mail] = await savedActions('renamed', id);
    expect(go.config.path).toBe('steps.new.waited_until');
    expect(mail.config).toMatchObject({ subject: '{{ steps.new.waited_until }}', text: '\\{{ steps.old name }}' });
  });

  it('tells before it overwrites what somebody else has saved', async () => {
    const { id, page } = await editor('two-people', [delayed('mine')]);
    await page.getByRole('button', { name: 'Duplicate mine' }).click();
    await setActions('two-people', id, [delayed('theirs')]);
    await page.getByRole('button', { name: 'Save actions' }).click();
    const dialog = page.getByRole('dialog', { name: 'These actions were changed elsewhere' });
    await dialog.waitFor();
    expect(await axe(page)).toEqual([]);
    expect((await savedActions('two-people', id)).map(({ name }) => name)).toEqual(['theirs']);
    await dialog.getByRole('button', { name: 'Replace theirs' }).click();
    await page.getByText('All changes are saved').waitFor();
    expect((await savedActions('two-people', id)).map(({ name }) => name)).toEqual(['mine', 'mine 2']);
    await page.getByRole('button', { name: 'Remove mine 2' }).click();
    await setActions('two-people', id, [delayed('theirs again')]);
    await page.keyboard.press('Control+s');
    await dialog.getByRole('button', { name: 'Discard mine, show theirs' }).click();
    expect(await names(page)).toEqual(['1 theirs again']);
  });

  it('keeps what is not saved between the tabs, and asks before it is left behind', async () => {
    const { page } = await editor('leaving', [delayed('a')]);
    await page.getByRole('button', { name: 'Duplicate a' }).click();
    const tabs = page.getByRole('navigation', { name: 'Workflow' });
    await tabs.getByRole('link', { name: 'Settings' }).click();
    await tabs.getByRole('img', { name: 'unsaved changes' }).waitFor();
    await tabs.getByRole('link', { name: 'Actions' }).click();
    expect(await names(page)).toEqual(['1 a', '2 a 2']);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await names(page)).toHaveLength(2);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
    await dialog.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  });

  it.each([
    ['light', 390],
    ['dark', 390],
    ['dark', 1440],
  ] as const)('axe finds nothing in open forms in %s at %i px, and they fit', async (colorScheme, width) => {
    const actions = [
      {
        name: 'x'.repeat(200),
        kind: 'HTTP_REQUEST',
        config: { method: 'POST', url: world.targetUrl, headers: { a: 'b' }, body: { XSS } },
      },
      {
        name: XSS.replace('.', ''),
        kind: 'CONDITION',
        config: { path: 'trigger.body', operator: 'equals', value: XSS },
      },
      { name: 'mail', kind: 'SEND_EMAIL', config: { to: ['a@b.example'], subject: XSS, text: XSS } },
    ];
    const { page } = await editor(`fits-${colorScheme}-${width}`, actions, { colorScheme, width });
    for (const card of await cards(page).getByRole('button').all()) await card.click();
    await page.getByRole('button', { name: 'Test run' }).first().click();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

function delayed(name: string): object {
  return { name, kind: 'DELAY', config: { seconds: 1 } };
}
