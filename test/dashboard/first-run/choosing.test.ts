import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('a new workflow from a template', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function choosing(account: string, name: string) {
    const { page } = await pages.open(server, { as: { account }, path: '/workflows' });
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New workflow' });
    await dialog.getByRole('radio', { name }).check();
    return { page, dialog };
  }

  it('opens with its actions saved, and its sample ready to run', async () => {
    const { page, dialog } = await choosing('pays', 'Payment receipt by email');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Payment receipt by email');
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create workflow' }).click();
    const panel = page.getByRole('region', { name: 'Test run' });
    await panel.getByRole('button', { name: 'Run test' }).click();
    await panel.getByText('Succeeded').first().waitFor();
  });

  it('marks a missing connection in the editor, also after a reload', async () => {
    const { page, dialog } = await choosing('chats', 'New order to Slack');
    await dialog.getByLabel('Name').fill('Shout');
    await dialog.getByRole('button', { name: 'Create workflow' }).click();
    await page.getByRole('heading', { name: 'Shout', level: 1 }).waitFor();
    const connection = page.getByRole('combobox', { name: 'Connection' });
    await connection.waitFor();
    expect(await connection.getAttribute('aria-invalid')).toBe('true');
    page.on('dialog', (question) => void question.accept());
    await page.reload();
    await connection.waitFor();
    expect(await connection.getAttribute('aria-invalid')).toBe('true');
  });

  it('is not created if its trigger lacks a connection', async () => {
    const { page, dialog } = await choosing('hubs', 'GitHub issue to Todoist task');
    await dialog.getByRole('button', { name: 'Create workflow' }).click();
    await dialog.getByText('Connect GitHub first.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Create your first workflow').waitFor();
  });
});
