import { describeInBrowser } from '../../support/browser/in-browser.js';
import { useSharedPage } from '../support/dashboard.js';
import { axe } from '../support/axe.js';

const UPDATE =
  'mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { url events } }';

describeInBrowser('a webhook that another user changes at the same time', () => {
  const shared = useSharedPage('/settings/webhooks', { env: { ALLOW_PRIVATE_NETWORK: 'true' } });

  /** A webhook with its page, which does not hear of changes. */
  async function register(): Promise<string> {
    const { body } = await shared.person.client.graphql(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
      { input: { url: 'http://localhost:9/first', events: ['run.failed', 'workflow.created'] } },
    );
    const { id } = body.data.createWebhook.webhook;
    await shared.page.goto(`/settings/webhooks/${id}`);
    return id;
  }

  const update = (id: string, input: object) => shared.person.client.graphql(UPDATE, { id, input });
  const stored = async (id: string) => {
    const query = 'query ($id: ID!) { webhook(id: $id) { url events } }';
    const { url, events } = (await shared.person.client.graphql(query, { id })).body.data.webhook;
    return { url, events: [...events].sort() };
  };

  async function edit() {
    await shared.page.getByRole('button', { name: 'More actions' }).click();
    await shared.page.getByRole('menuitem', { name: 'Edit URL and events' }).click();
    return shared.page.getByRole('dialog', { name: 'Edit webhook' });
  }

  it('keeps what the form did not change', async () => {
    const id = await register();
    const dialog = await edit();
    await update(id, { events: ['run.failed', 'wait.created'] });
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://localhost:9/second');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored(id)).toEqual({ url: 'http://localhost:9/second', events: ['run.failed', 'wait.created'] });
  });

  it('is not replaced before one knows of it', async () => {
    const id = await register();
    const dialog = await edit();
    await update(id, { url: 'http://localhost:9/theirs', events: ['wait.created'] });
    await dialog.getByRole('checkbox', { name: 'workflow.created' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Another tab or another user has changed this webhook since you began').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('http://localhost:9/theirs');
    expect(await axe(shared.page)).toEqual([]);
    expect(await stored(id)).toEqual({ url: 'http://localhost:9/theirs', events: ['wait.created'] });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored(id)).toEqual({ url: 'http://localhost:9/theirs', events: ['run.failed'] });
  });
});
