import { type Browser, type Page } from 'playwright-core';
import { type SignedIn, signedIn } from '../support/people.js';
import { noteSecret } from '../support/secrets.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { messageId, Receiver, status, verified } from '../webhooks/receiver.js';
import { axe } from './support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from './support/dashboard.js';
import { describeInBrowser } from './support/in-browser.js';

describeInBrowser('the webhooks of an account', () => {
  let server: TestServer;
  let browser: Browser;
  let receiver: Receiver;
  let open: Dashboard[] = [];

  beforeAll(async () => {
    receiver = await Receiver.open();
    const env = { ALLOW_PRIVATE_NETWORK: 'true' };
    [server, browser] = await Promise.all([startTestServer({ env }), launchBrowser()]);
  });
  beforeEach(() => {
    receiver.answer = status(204);
  });
  afterEach(async () => {
    const opened = open;
    open = [];
    for (const dashboard of opened) await dashboard.close();
  });
  afterAll(async () => {
    receiver.close();
    await browser.close();
    await server.close();
  });

  async function dashboard(options: Parameters<typeof openDashboard>[2]): Promise<Page> {
    const opened = await openDashboard(browser, server, options);
    open.push(opened);
    return opened.page;
  }

  /** Registers the receiver under a path of its own. @returns the address of its page. */
  async function register({ client }: SignedIn, path: string, events = ['workflow.created']): Promise<string> {
    const { body } = await client.graphql(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
      { input: { url: receiver.url(path), events } },
    );
    return `/settings/webhooks/${body.data.createWebhook.webhook.id}`;
  }

  const makeWorkflow = ({ client }: SignedIn, name = 'Flow') =>
    client.graphql('mutation ($name: String!) { createWorkflow(input: { name: $name }) { id } }', { name });

  async function takeSecret(page: Page): Promise<string> {
    const shown = page.getByRole('region', { name: 'signing secret' });
    await shown.waitFor();
    const secret = noteSecret(await shown.innerText());
    await page.getByRole('region', { name: 'snippet' }).getByText('webhook.verify(').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return secret;
  }

  async function act(page: Page, action: string): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  }

  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

  it('one is made; its test arrives, signed with the secret that was shown', async () => {
    const page = await dashboard({ path: '/settings/webhooks', as: { account: 'made' } });
    await page.getByText('Be told instead of asking').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByRole('textbox', { name: 'Address' }).fill('ftp://example.com/');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Choose at least one event.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'All of runs' }).check();
    expect(await page.getByRole('checkbox', { name: 'run.canceled' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'workflow.created' }).check();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('The address must start with http:// or https://.').waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url('/made?<b>=1'));
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = await takeSecret(page);
    await page.waitForURL(/\/settings\/webhooks\/wh_\w+$/);
    await page.getByText('Nothing was sent yet').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(
      await page.getByRole('list').filter({ hasText: 'run.failed' }).getByRole('listitem').allInnerTexts(),
    ).toEqual(['run.succeeded', 'run.failed', 'run.canceled', 'workflow.created']);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(page, /^webhook\.test Succeeded 204 1/).waitFor();
    const [received] = receiver.received;
    expect(verified(received!, secret)).toMatchObject({ type: 'webhook.test' });
  });

  it('a delivery that fails is shown with its answer, and sent again by hand', async () => {
    const person = await signedIn(server, { account: 'failing' });
    const path = await register(person, '/failing');
    receiver.answer = (_, response) => response.writeHead(500).end('<script>alert(1)</script> is out of order');
    const page = await dashboard({ path, as: person });
    await page.getByText('Nothing was sent yet').waitFor();
    await makeWorkflow(person);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(page, /^webhook\.test Failed 500 1/).waitFor();
    await row(page, /^workflow\.created Pending 500 1/).waitFor();
    await page.getByRole('link', { name: 'workflow.created' }).click();
    const dialog = page.getByRole('dialog', { name: 'workflow.created' });
    await dialog.getByText('<script>alert(1)</script> is out of order').waitFor();
    await dialog.getByText(/answered with status 500/).waitFor();
    expect(await axe(page)).toEqual([]);
    receiver.answer = status(204);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await row(page, /^workflow\.created Succeeded 204 1/).waitFor();
    const sent = receiver.at('/failing').filter(({ body }) => body.includes('workflow.created'));
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(new Set(sent.map(messageId)).size).toBe(1);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await row(page, /^workflow\.created/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await row(page, /^webhook\.test Failed/).count()).toBe(1);
  });

  it('one that is gone says why it is disabled; another address and a press bring it back', async () => {
    const person = await signedIn(server, { account: 'gone' });
    const path = await register(person, '/gone');
    receiver.answer = status(410);
    await makeWorkflow(person);
    const page = await dashboard({ path, as: person });
    await page.getByText('Its address answered 410 Gone').waitFor();
    expect(await axe(page)).toEqual([]);
    receiver.answer = status(204);
    await act(page, 'Edit address and events');
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url('/back'));
    await page.getByRole('checkbox', { name: 'All of triggers' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: /\/back$/, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Its address answered 410 Gone').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(page, /^webhook\.test Succeeded/).waitFor();
    expect(receiver.at('/back')).toHaveLength(1);

    await act(page, 'Disable');
    await confirm(page, 'Disable');
    await page.getByText('Disabled by hand').waitFor();
    await page.getByRole('link', { name: 'webhook.test' }).click();
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
  });

  it('a new secret signs beside the old one; deleted, it leads back to the list', async () => {
    const person = await signedIn(server, { account: 'rotated' });
    const path = await register(person, '/rotated');
    const page = await dashboard({ path, as: person });
    await act(page, 'Rotate secret');
    await page.getByText('for 24 hours with the old one too').waitFor();
    await confirm(page, 'Rotate secret');
    await page.getByText('Copy it now').waitFor();
    expect(await axe(page)).toEqual([]);
    const secret = await takeSecret(page);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(page, /^webhook\.test Succeeded/).waitFor();
    verified(receiver.at('/rotated')[0]!, secret);
    expect(String(receiver.at('/rotated')[0]!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await act(page, 'Delete');
    await confirm(page, 'Delete for good');
    await page.getByText('Be told instead of asking').waitFor();
    await page.goto(path);
    await page.getByText('There is no such webhook').waitFor();
  });

  it('of one workflow is told nothing of connections', async () => {
    const person = await signedIn(server, { account: 'one' });
    await makeWorkflow(person, '<i>Nightly</i>');
    const page = await dashboard({ path: '/settings/webhooks', as: person });
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByRole('checkbox', { name: 'All of integrations' }).check();
    await page.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: '<i>Nightly</i>' }).click();
    await page.getByRole('checkbox', { name: 'All of integrations' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'run.failed' }).check();
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url('/one'));
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await takeSecret(page);
    await page.getByRole('link', { name: '<i>Nightly</i>' }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByText('run.failed · only <i>Nightly</i>').waitFor();
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('hide nothing from readers, and fit: %s, %i wide', async (colorScheme, width) => {
    const person = await signedIn(server, { account: 'failing' });
    const page = await dashboard({ path: '/settings/webhooks', as: person, colorScheme, width });
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await page.getByRole('link', { name: /\/failing/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await fits()).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: /\/failing/ }).click();
    await page.getByRole('link', { name: 'webhook.test' }).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await fits()).toBeLessThanOrEqual(0);
  });
});
