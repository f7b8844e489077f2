import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { connectKey } from '../support/connect-world.js';
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
    return { page, dialog: await choose(page, name) };
  }

  async function choose(page: Page, name: string) {
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New workflow' });
    await dialog.getByRole('radio', { name }).check();
    return dialog;
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

  it('names the application that an action lacks, and keeps the actions while the user connects it', async () => {
    const as = await signedIn(server, { account: 'links' });
    await connectKey(server, 'links', 'Other');
    const { page } = await pages.open(server, { as, path: '/workflows' });
    const dialog = await choose(page, 'New order to Slack');
    await dialog.getByRole('button', { name: 'Create workflow' }).click();
    await page.getByText('This action needs Slack.').waitFor();
    await page.getByText('Not saved yet: only this browser tab keeps the actions').waitFor();
    expect(await axe(page)).toEqual([]);
    const connection = page.getByRole('combobox', { name: 'Connection' });
    await connection.click();
    await page.getByText('Slack is not connected yet.').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByLabel('Path', { exact: true }).fill('/chat.other');
    const body = page.getByLabel('JSON body', { exact: true });
    await body.fill('{ half');
    await page.getByRole('link', { name: 'Connect Slack' }).click();
    await page.getByRole('heading', { name: 'Connect Slack', level: 1 }).waitFor();
    const id = await connectKey(server, 'links', 'Our Slack');
    await server.db.query(`UPDATE integrations SET type = 'slack' WHERE name = 'Our Slack'`);
    await page.goBack();
    await page.getByText('This action needs Slack.').waitFor();
    expect(await page.getByLabel('Path', { exact: true }).inputValue()).toBe('/chat.other');
    expect(await body.inputValue()).toBe('{ half');
    await body.fill('{}');
    await connection.click();
    const slack = page.getByRole('option', { name: 'Our Slack (slack)' });
    await slack.waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    await slack.click();
    await page.getByRole('button', { name: 'Save actions' }).click();
    await page.getByText('All changes are saved').waitFor();
    const { workflows } = await new Account(as.client).ask('{ workflows { items { actions { config } } } }');
    expect(workflows.items[0].actions[1].config).toMatchObject({ integration_id: id, path: '/chat.other' });
  });

  it('opens again once the application that an action lacks is connected', async () => {
    const { page, dialog } = await choosing('returns', 'New order to Slack');
    await dialog.getByRole('button', { name: 'Create workflow' }).click();
    await page.getByRole('link', { name: 'Connect Slack' }).waitFor();
    // The sandbox stands in for Slack, which has no client id here.
    await page.evaluate(() => {
      const [key, text] = Object.entries(sessionStorage).find(([name]) => name.startsWith('begun:'))!;
      sessionStorage.setItem(key, text.replace('"type":"slack"', '"type":"sandbox_api_key"'));
    });
    page.on('dialog', (question) => void question.accept());
    await page.reload();
    await page.getByRole('link', { name: 'Connect Slack' }).click();
    await page.getByRole('textbox', { name: 'API key' }).fill('sandbox_valid_key');
    await page.getByRole('button', { name: 'Check and connect' }).click();
    await page.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: /^Sandbox/ }).click();
    await page.getByRole('button', { name: 'Save actions' }).click();
    await page.getByText('All changes are saved').waitFor();
  });

  it('is not created if its trigger lacks a connection, and leads to it', async () => {
    const { page, dialog } = await choosing('hubs', 'GitHub issue to Todoist task');
    await dialog.getByText('It starts with events of GitHub. Connect GitHub first.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Create workflow' }).isDisabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await connectKey(server, 'hubs', 'Our GitHub');
    await server.db.query(`UPDATE integrations SET type = 'github' WHERE name = 'Our GitHub'`);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await dialog.getByText('Connect GitHub first.').waitFor({ state: 'hidden' });
    expect(await dialog.getByRole('button', { name: 'Create workflow' }).isEnabled()).toBe(true);
    await server.db.query(`UPDATE integrations SET type = 'sandbox_api_key' WHERE name = 'Our GitHub'`);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await dialog.getByRole('link', { name: 'Connect GitHub' }).click();
    await page.getByRole('heading', { name: 'Connect GitHub', level: 1 }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('has its buttons in sight on a low screen', async () => {
    const { page, dialog } = await choosing('low', 'Payment receipt by email');
    await page.setViewportSize({ width: 1280, height: 600 });
    await dialog.getByLabel('Name').click();
    const create = (await dialog.getByRole('button', { name: 'Create workflow' }).boundingBox())!;
    expect(create.y + create.height).toBeLessThanOrEqual(600);
  });
});
