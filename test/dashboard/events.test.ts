import { type Page } from 'playwright-core';
import { type SignedIn } from '../support/worlds/people.js';
import { until } from '../support/until.js';
import { Receiver } from '../webhooks/receiver.js';
import { axe } from './support/axe.js';
import { useSharedPage } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

describeInBrowser('the events of an account', () => {
  const shared = useSharedPage('/event-log', { env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  let person: SignedIn;
  let page: Page;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.open();
    ({ person, page } = shared);
  });
  afterAll(() => receiver.close());

  const create = async (name: string): Promise<string> => {
    const { body } = await person.client.graphql(
      'mutation ($name: String!) { createWorkflow(input: { name: $name }) { id } }',
      { name },
    );
    return body.data.createWorkflow.id;
  };
  const remove = (id: string) => person.client.graphql('mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id });
  const rows = () => page.getByRole('table', { name: 'Events' }).locator('tbody tr');

  it('appear by themselves, are filtered by type, and lead to what they are about', async () => {
    await page.getByText('No events yet').waitFor();
    const id = await create('Watched');
    await remove(await create('Short-lived'));
    await until(async () => (await rows().count()) === 3);
    expect(await rows().first().innerText()).toContain('workflow.deleted');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Type of event' }).click();
    await page.getByRole('option', { name: 'workflow.created' }).click();
    await until(async () => (await rows().count()) === 2);
    await rows().last().getByRole('link').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('"Watched"').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('link', { name: id }).click();
    await page.getByRole('heading', { name: 'Watched' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/workflows/${id}`);
  });

  it('are no longer recorded once a person switches them off', async () => {
    await page.goto('/settings/account');
    await page.getByLabel('Record events').click();
    await page.getByText('New events are no longer recorded.').waitFor();
    const unrecorded = await create('Unrecorded');
    await page.goto('/event-log');
    await page.getByText('New events are not recorded.').waitFor();
    expect((await person.client.graphql('{ account { eventLog } }')).body.data.account.eventLog).toBe(false);
    await page.getByRole('main').getByRole('link', { name: 'Account settings' }).click();
    await page.getByLabel('Record events').click();
    await page.getByText('New events are recorded.').waitFor();
    // Once a later event is there, an earlier one would be, too.
    const recorded = await create('Recorded');
    await page.goto('/event-log');
    await rows().filter({ hasText: recorded }).waitFor();
    expect(await rows().count()).toBe(4);
    expect(await rows().filter({ hasText: unrecorded }).count()).toBe(0);
  });

  it('of failing workflows follow the settings of the workflow', async () => {
    const id = await create('Noticed');
    const setting = async () =>
      (await person.client.graphql('query ($id: ID!) { workflow(id: $id) { failureNoticeAfter } }', { id })).body.data
        .workflow.failureNoticeAfter;
    await page.goto(`/workflows/${id}/settings`);
    const form = page.getByRole('form', { name: 'Failure notices' });
    const number = form.getByLabel('Failures in a row');
    await number.fill('101');
    await page.keyboard.press('Enter');
    await form.getByText('Enter a number from 1 to 100.').waitFor();
    expect(await axe(page)).toEqual([]);
    await number.fill('7');
    await page.keyboard.press('Enter');
    await until(async () => (await setting()) === 7);
    await number.fill('9');
    await number.blur();
    await until(async () => (await setting()) === 9);
    await form.getByLabel('Send an email when runs fail').click();
    await until(async () => (await setting()) === null);
    await form.getByLabel('Failures in a row').waitFor({ state: 'detached' });
    expect(await axe(page)).toEqual([]);
  });

  it('of a range of time are sent to a webhook again', async () => {
    const { body } = await person.client.graphql(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
      { input: { url: receiver.url('/range'), events: ['workflow.created'] } },
    );
    await create('Sent again');
    await until(() => receiver.at('/range').length === 1);
    await page.goto(`/settings/webhooks/${body.data.createWebhook.webhook.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Send a range again' }).click();
    const dialog = page.getByRole('dialog');
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16);
    await dialog.getByLabel('From').fill(yesterday);
    await dialog.getByLabel('Only events that did not arrive').click();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Deliveries that are sent again: 1.').waitFor();
    await until(() => receiver.at('/range').length === 2);
  });
});
