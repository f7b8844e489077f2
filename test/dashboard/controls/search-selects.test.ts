import { type Locator, type Page } from 'playwright-core';
import { type SignedIn, signedIn } from '../../support/worlds/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('a select that searches', () => {
  let server: TestServer;
  let person: SignedIn;
  let account: Account;
  let draft: string;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
    person = await signedIn(server);
    account = new Account(person.client);
    const [sales] = [await connected('Sales'), await connected('Support')];
    const config = { integration_id: sales, method: 'GET', path: '/v1/items' };
    draft = await account.workflow('Sync leads', [{ name: 'call', kind: 'APP_REQUEST', config }], 'DRAFT');
    await account.workflow('Greet contacts');
  });
  afterAll(() => server.close());

  async function connected(label: string): Promise<string> {
    const connect = `mutation ($label: String) { connectIntegration(input: { type: "sandbox_api_key", label: $label,
      credentials: { api_key: "sandbox_valid_key" } }) { ... on Integration { id } } }`;
    return (await account.ask(connect, { label })).connectIntegration.id;
  }

  const open = async (path: string): Promise<Page> => (await pages.open(server, { path, as: person })).page;
  const select = (page: Page, name: string): Locator => page.getByRole('combobox', { name, exact: true });

  /** Types by mouse and by Tab: only `option` is offered, and its choice is replaced by the next text in turn. */
  async function replaces(page: Page, name: string, [text, option]: [string, string], [next, other]: [string, string]) {
    const field = select(page, name);
    const only = async (expected: string) => {
      const options = page.getByRole('option');
      await until(async () => (await options.allInnerTexts()).join() === expected);
    };
    await field.click();
    await page.keyboard.type(text);
    await only(option);
    await page.getByRole('option', { name: option }).click();
    await until(async () => (await field.inputValue()) === option);
    // The field has kept the focus.
    await page.keyboard.type(next);
    await only(other);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(async () => (await field.inputValue()) === other);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
    expect(await field.inputValue()).toBe(text);
    await only(option);
    await page.keyboard.press('Tab');
    await until(async () => (await field.inputValue()) === other);
  }

  it('finds the workflow whose runs are listed, and says when none has the name', async () => {
    const page = await open('/runs');
    await replaces(page, 'Workflow', ['leads', 'Sync leads'], ['greet', 'Greet contacts']);
    await select(page, 'Workflow').click();
    await page.keyboard.type('nowhere');
    await page.getByText('No workflow has this in its name or description.').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('Tab');
    await until(async () => (await select(page, 'Workflow').inputValue()) === 'Greet contacts');
    await select(page, 'Workflow').click();
    await page.getByRole('option', { name: 'All workflows' }).click();
    await page.waitForURL(/\/runs$/);
    await select(page, 'Workflow').click();
    await page.keyboard.type('nowhere');
    await page.getByText('No workflow has this in its name or description.').waitFor();
    await page.keyboard.press('Tab');
    await until(async () => (await select(page, 'Workflow').inputValue()) === 'All workflows');
  });

  it('finds the time zone of a schedule', async () => {
    const page = await open('/triggers');
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    await page.getByRole('radio', { name: 'Schedule' }).click();
    await replaces(page, 'Time zone', ['zurich', 'Europe/Zurich'], ['new york', 'America/New York']);
  });

  it('finds the connection and the event of an app event', async () => {
    const page = await open('/triggers');
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    await page.getByRole('radio', { name: 'App event' }).click();
    const [sales, support] = ['Sales', 'Support'].map((name) => `${name} (Sandbox (API key))`) as [string, string];
    await replaces(page, 'Connection', ['sales', sales], ['support', support]);
    await select(page, 'Event').click();
    await page.getByRole('option', { name: 'item.created' }).click();
    await page.keyboard.type('nothing');
    await page.getByText('No event has this in its name.').waitFor();
  });

  it('finds the connection of an app request', async () => {
    const page = await open(`/workflows/${draft}`);
    await page.getByRole('button', { name: /^1 call/ }).click();
    await replaces(page, 'Connection', ['sales', 'Sales (sandbox_api_key)'], ['support', 'Support (sandbox_api_key)']);
    // A click into a search keeps it, for corrections.
    await select(page, 'Connection').click();
    await page.keyboard.type('sa');
    await select(page, 'Connection').click();
    await page.keyboard.press('End');
    await page.keyboard.type('l');
    expect(await select(page, 'Connection').inputValue()).toBe('sal');
  });
});
