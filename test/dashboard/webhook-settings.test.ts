import { type Locator, type Page } from 'playwright-core';
import { type SignedIn } from '../support/worlds/people.js';
import { noteSecret } from '../support/database/secrets.js';
import { type TestServer } from '../support/server.js';
import { messageId, Receiver, status, verified } from '../webhooks/receiver.js';
import { look } from './looks.js';
import { axe } from './support/axe.js';
import { useSharedPage } from './support/dashboard.js';
import { until } from '../support/until.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

describeInBrowser('the webhooks of an account', () => {
  const shared = useSharedPage('/settings/webhooks', { env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  let server: TestServer;
  let person: SignedIn;
  let page: Page;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.open();
    ({ server, person, page } = shared);
  });
  beforeEach(() => {
    receiver.answer = status(204);
  });
  afterAll(() => receiver.close());

  /** Registers the receiver under a path of its own, and goes to the page of that. @returns its address. */
  async function register(path: string, before?: () => Promise<unknown>): Promise<string> {
    const { body } = await person.client.graphql(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
      { input: { url: receiver.url(path), events: ['workflow.created'] } },
    );
    const address = `/settings/webhooks/${body.data.createWebhook.webhook.id}`;
    await before?.();
    await page.goto(address);
    return address;
  }

  const makeWorkflow = (name = 'Flow') =>
    person.client.graphql('mutation ($name: String!) { createWorkflow(input: { name: $name }) { id } }', { name });

  async function takeSecret(): Promise<string> {
    const shown = page.getByRole('region', { name: 'signing secret' });
    await shown.waitFor();
    const secret = noteSecret(await shown.innerText());
    await page.getByRole('region', { name: 'snippet' }).getByText('webhook.verify(').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Done, I saved it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return secret;
  }

  async function act(action: string): Promise<void> {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  }

  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const row = (name: RegExp) => page.getByRole('row', { name });

  it('one is made; its test arrives, signed with the secret that was shown', async () => {
    await page.getByText('Get notified instead of polling').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com/');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Choose at least one event.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'All of runs' }).check();
    expect(await page.getByRole('checkbox', { name: 'run.canceled' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'workflow.created' }).check();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('The address must start with http:// or https://.').waitFor();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url('/made?<b>=1'));
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = await takeSecret();
    await page.waitForURL(/\/settings\/webhooks\/wh_\w+$/);
    await page.getByText('Nothing sent yet').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(
      await page.getByRole('list').filter({ hasText: 'run.failed' }).getByRole('listitem').allInnerTexts(),
    ).toEqual(['run.succeeded', 'run.failed', 'run.canceled', 'run.waiting', 'workflow.created']);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(/^webhook\.test Succeeded 204 1/).waitFor();
    const [received] = receiver.received;
    expect(verified(received!, secret)).toMatchObject({ type: 'webhook.test' });
  });

  it('a refused form moves to its first fault, and its buttons stay in sight', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/settings/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const submit = page.getByRole('button', { name: 'Create webhook' });
    const all = page.getByRole('checkbox', { name: 'All of runs' });
    const url = page.getByRole('textbox', { name: 'URL' });
    await all.waitFor();
    await url.fill(receiver.url('/refused'));
    for (const height of [800, 420]) {
      await page.setViewportSize({ width: 1280, height });
      await url.focus();
      await until(() => isInSight(submit));
      await url.press('Enter');
      await page.locator('[aria-label="All of runs"]:focus').waitFor();
      await until(() => isInSight(all));
      await until(() => isInSight(page.getByText('Choose at least one event.')));
      await until(() => isInSight(submit));
    }
    expect(await axe(page)).toEqual([]);
    await all.check();
    await page.getByText('Choose at least one event.').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('the events to choose from are fetched again when they did not come', async () => {
    await page.route('**/graphql', (route) => {
      if (!route.request().postData()!.includes('WebhookEvents')) return route.fallback();
      const errors = [{ message: 'The database is away.', extensions: { code: 'UNAVAILABLE' } }];
      return route.fulfill({ json: { data: null, errors } });
    });
    await page.goto('/settings/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByRole('alert').getByText('The database is away.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.unroute('**/graphql');
    await page.getByRole('checkbox', { name: 'All of runs' }).waitFor();
  });

  it('a delivery that fails is shown with its answer, and sent again by hand', async () => {
    receiver.answer = (_, response) => response.writeHead(500).end('<script>alert(1)</script> is out of order');
    await register('/failing');
    await page.getByText('Nothing sent yet').waitFor();
    await makeWorkflow();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(/^webhook\.test Failed 500 1/).waitFor();
    await row(/^workflow\.created Pending 500 1/).waitFor();
    await page.getByRole('link', { name: 'workflow.created' }).click();
    const dialog = page.getByRole('dialog', { name: 'workflow.created' });
    await dialog.getByText('<script>alert(1)</script> is out of order').waitFor();
    await dialog.getByText(/answered with status 500/).waitFor();
    expect(await axe(page)).toEqual([]);
    receiver.answer = status(204);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await row(/^workflow\.created Succeeded 204 1/).waitFor();
    const sent = receiver.at('/failing').filter(({ body }) => body.includes('workflow.created'));
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(new Set(sent.map(messageId)).size).toBe(1);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await row(/^workflow\.created/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await row(/^webhook\.test Failed/).count()).toBe(1);
  });

  it('a delivery shows every attempt, and the headers and body that were sent', async () => {
    receiver.answer = status(500);
    await register('/log');
    await makeWorkflow('Logged');
    await row(/^workflow\.created Pending 500 1/).waitFor();
    receiver.answer = status(204);
    await server.advance(60_000);
    await row(/^workflow\.created Succeeded 204 2/).waitFor();
    await page.getByRole('link', { name: 'workflow.created' }).click();
    const dialog = page.getByRole('dialog', { name: 'workflow.created' });
    await dialog.getByRole('table', { name: 'Attempts' }).waitFor();
    const attempts = await dialog.getByRole('row').allInnerTexts();
    expect(attempts.slice(1)).toEqual([
      expect.stringMatching(/:\d\d\t500\t[\d.]+ m?s$/),
      expect.stringMatching(/:\d\d\t204\t[\d.]+ m?s$/),
    ]);
    const { headers, body } = receiver.at('/log')[1]!;
    const shown = await dialog.getByRole('region', { name: 'request headers', exact: true }).innerText();
    for (const name of ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'])
      expect(shown).toContain(`${name}: ${String(headers[name])}`);
    const sent = await dialog.getByRole('region', { name: 'request body', exact: true }).innerText();
    expect(JSON.parse(sent)).toEqual(JSON.parse(body));
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    const isInside = await dialog.getByRole('table').evaluate((table) => table.getBoundingClientRect().right <= 390);
    expect(isInside).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('one that is gone says why it is disabled; another address and a press bring it back', async () => {
    receiver.answer = status(410);
    await register('/gone', makeWorkflow);
    await page.getByText('Its URL answered 410 Gone').waitFor();
    receiver.answer = status(204);
    await act('Edit URL and events');
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url('/back'));
    await page.getByRole('checkbox', { name: 'All of triggers' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: /\/back$/, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Its URL answered 410 Gone').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(/^webhook\.test Succeeded/).waitFor();
    expect(receiver.at('/back')).toHaveLength(1);

    await act('Disable');
    await confirm('Disable');
    await page.getByText('Disabled by Ada').waitFor();
    await page.getByRole('link', { name: 'webhook.test' }).click();
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
  });

  it('a new secret signs beside the old one; deleted, it leads back to the list', async () => {
    const address = await register('/rotated');
    await act('Rotate secret');
    await page.getByText('for 24 hours with the old one too').waitFor();
    await confirm('Rotate secret');
    await page.getByText('Copy it now').waitFor();
    expect(await axe(page)).toEqual([]);
    const secret = await takeSecret();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await row(/^webhook\.test Succeeded/).waitFor();
    verified(receiver.at('/rotated')[0]!, secret);
    expect(String(receiver.at('/rotated')[0]!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    await act('Delete');
    await confirm('Delete permanently');
    await page.waitForURL('**/settings/webhooks');
    await page.goto(address);
    await page.getByText('There is no such webhook').waitFor();
  });

  it('of one workflow gets no events of connections', async () => {
    await makeWorkflow('<i>Nightly</i>');
    await page.goto('/settings/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByRole('checkbox', { name: 'All of connections' }).check();
    await page.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: '<i>Nightly</i>' }).click();
    await page.getByRole('checkbox', { name: 'All of connections' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'run.failed' }).check();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url('/one'));
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await takeSecret();
    await page.getByRole('link', { name: '<i>Nightly</i>' }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByText('run.failed · only <i>Nightly</i>').waitFor();
  });

  it('hide nothing from readers, and fit, light and dark, wide and narrow', async () => {
    const isFitForAll = async () => {
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    };
    await page.goto('/settings/webhooks');
    await page.getByRole('link', { name: /\/failing/ }).waitFor();
    await isFitForAll();
    await look(page, 'dark', 390);
    await isFitForAll();
    await page.getByRole('link', { name: /\/failing/ }).click();
    await page.getByRole('link', { name: 'webhook.test' }).waitFor();
    await isFitForAll();
    await look(page, 'light', 1280);
    await isFitForAll();
  });
});

/** Whether the middle of an element is neither scrolled away nor covered. */
function isInSight(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return top !== null && node.contains(top) && y >= 0 && y + height <= window.innerHeight;
  });
}
