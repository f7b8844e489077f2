import { type Browser, type Page } from 'playwright-core';
import { makeUser, signedIn } from '../../support/worlds/people.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';
import { Account } from '../support/account.js';
import { type Dashboard, launchBrowser, openDashboard } from '../support/dashboard.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { PAYLOADS } from '../support/payloads.js';

const ACCOUNT = '<img src=x onerror=alert(1)>';
const RUNS_OF = 3;

describeInBrowser('texts that would run if they were taken for HTML', () => {
  let world: RunWorld;
  let browser: Browser;
  let account: Account;
  let opened: Dashboard;
  let page: Page;
  /** Addresses of pages, with what has to be read there. */
  const shown = new Map<string, readonly string[]>();

  beforeAll(async () => {
    [world, browser] = await Promise.all([RunWorld.open(), launchBrowser()]);
    const as = { account: ACCOUNT, name: PAYLOADS[0]!, email: 'ada@people.example' };
    account = new Account((await signedIn(world.server, as)).client);
    await makeWorkflows();
    await makeConnections();
    await makeKeysAndPeople();
    opened = await openDashboard(browser, world.server, { as, path: '/settings/profile' });
    page = opened.page;
    page.on('dialog', (dialog) => {
      opened.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function makeWorkflows(): Promise<void> {
    const make = 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }';
    for (const text of PAYLOADS) await account.ask(make, { input: { name: text, description: text } });
    shown.set('/workflows?per_page=100', PAYLOADS);
    world.reply = () => ({ status: 422, headers: { 'x-text': PAYLOADS[1]! }, body: PAYLOADS });
    for (const text of PAYLOADS.slice(0, RUNS_OF)) {
      const action = { name: text, kind: 'HTTP_REQUEST', config: { method: 'POST', url: world.targetUrl, body: text } };
      const id = await account.workflow(text, [action]);
      const { id: trigger, hook } = await account.trigger(id);
      const run = await account.fire(hook, PAYLOADS);
      expect(await account.ended(run)).toBe('FAILED');
      shown.set(`/workflows/${id}`, [text]).set(`/triggers/${trigger}`, [text]).set(`/runs/${run}`, [text]);
      for (const tab of ['triggers', 'runs', 'settings']) shown.set(`/workflows/${id}/${tab}`, [text]);
    }
    shown.set('/runs', PAYLOADS.slice(0, RUNS_OF)).set('/', PAYLOADS.slice(0, RUNS_OF));
  }

  async function makeConnections(): Promise<void> {
    const connect = 'mutation ($input: ConnectIntegrationInput!) { connectIntegration(input: $input) { __typename } }';
    const credentials = { api_key: 'sandbox_valid_key' };
    for (const text of PAYLOADS) {
      await account.ask(connect, { input: { type: 'sandbox_api_key', label: text, reference: text, credentials } });
    }
    const list = '{ integrations(perPage: 1) { items { id name } } }';
    const [last] = (await account.ask(list)).integrations.items;
    const id = await account.connectSandbox(PAYLOADS[2]!);
    const filter = Object.fromEntries(PAYLOADS.slice(0, 20).map((text, place) => [`p${place}`, text]));
    const workflow = await account.workflow('Filtered');
    const { id: trigger } = await account.trigger(workflow, 'APP_EVENT', {
      event: 'contact.created',
      integration_id: id,
      filter,
    });
    shown.set('/integrations?per_page=100', PAYLOADS).set(`/integrations/${last.id}`, [last.name]);
    shown.set(`/integrations/${id}`, [PAYLOADS[2]!]).set(`/triggers/${trigger}`, Object.values(filter));
    shown.set('/integrations/new', []).set('/triggers', PAYLOADS.slice(0, RUNS_OF));
  }

  async function makeKeysAndPeople(): Promise<void> {
    const key = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { id } } }';
    for (const label of PAYLOADS) await account.ask(key, { input: { label, scope: 'READ_ONLY' } });
    for (const name of PAYLOADS.slice(1)) await makeUser(world.server, { name, account: ACCOUNT });
    shown.set('/settings/api-keys?per_page=100', PAYLOADS).set('/settings/users?per_page=100', PAYLOADS);
    const { inviteUser } = await account.ask('mutation { inviteUser(email: "eve@people.example") { url } }');
    shown.set(new URL(inviteUser.url as string).pathname, [ACCOUNT]).set('/settings/profile', [ACCOUNT]);
  }

  /** All that is to be read on a page, spaces as one; fields with what stands in them. */
  const textOf = () =>
    page.evaluate(() => {
      const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
      return [document.body.innerText, ...fields].join('\n').replace(/\s+/g, ' ');
    });
  async function lacking(texts: readonly string[]): Promise<string[]> {
    const text = await textOf();
    return texts.filter((part) => !text.includes(part.replace(/\s+/g, ' ').trim()));
  }

  it('there are 60 of them, none twice', () => {
    expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(60);
    expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
  });

  it('are read as they are, wherever people or providers put them, and none runs', async () => {
    for (const [path, texts] of shown) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await until(async () => (await lacking(texts)).length === 0).catch(async () => {
        throw new Error(`${path} lacks ${(await lacking(texts)).join(' AND ')}`);
      });
      // Of a run: its input, and that of its step with what came back.
      const values = page.getByRole('main').getByRole('region', { name: /^(Input|Output) of / });
      if (path.startsWith('/runs/')) for (const place of [0, 1, 2]) await values.nth(place).waitFor();
      const more = page.getByRole('button', { name: 'Show all', exact: true });
      while ((await more.count()) > 0) await more.first().click();
      if (!path.startsWith('/runs/')) continue;
      expect(await lacking(PAYLOADS.map((text) => JSON.stringify(text)))).toEqual([]);
    }
    expect(opened.complaints).toEqual([]);
  });

  it('of a provider’s refusal run neither on the page where it ends nor on the sign-in page', async () => {
    for (const text of PAYLOADS) {
      const start = `mutation { connectIntegration(input: { type: "sandbox_oauth" }) {
        ... on IntegrationAuthorization { redirectUrl } } }`;
      const { redirectUrl } = (await account.ask(start)).connectIntegration;
      const state = new URL(redirectUrl as string).searchParams.get('state')!;
      const query = new URLSearchParams({ state, error: text, error_description: text, error_uri: text });
      await page.goto(`/oauth/callback/sandbox_oauth?${query}`, { waitUntil: 'load' });
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.goto('/integrations?per_page=100');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('row').nth(60).waitFor();
    await opened.close();
  });
});
