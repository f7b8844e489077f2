import { type Locator, type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('a name', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  /** A name of spaces is refused at its field. */
  async function refuses(page: Page, field: Locator): Promise<void> {
    await field.fill('   ');
    await page.keyboard.press('Enter');
    await page.getByText('Must not be empty.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  }

  it('of a new workflow is stored without spaces around it, and is not only spaces', async () => {
    const { page } = await pages.open(server, { path: '/workflows' });
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await refuses(page, name);
    await name.fill('  Orders ');
    await page.keyboard.press('Enter');
    await page.getByText('Created “Orders” as a draft.').waitFor();
  });

  it('of a workflow, an account, a user and an API key is not only spaces', async () => {
    const person = await signedIn(server, { account: 'Names' });
    const id = await new Account(person.client).workflow('Named', [], 'DRAFT');
    const { page } = await pages.open(server, { path: `/workflows/${id}/settings`, as: person });
    const form = page.getByRole('form', { name: 'Name and description' });
    await refuses(page, form.getByLabel('Name'));
    await page.goto('/settings/account');
    await refuses(page, page.getByLabel('Account name'));
    await page.goto('/settings');
    await refuses(page, page.getByRole('form', { name: 'Your name' }).getByLabel('Name'));
    await page.goto('/settings/api-keys');
    await page.getByRole('button', { name: 'New API key' }).first().click();
    await refuses(page, page.getByRole('dialog').getByLabel('Label'));
  });
});
