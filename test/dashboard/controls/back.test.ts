import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('Back', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('closes a dialog and stays on its page, after a question if it has input; the next one leaves', async () => {
    const { page } = await pages.open(server, { path: '/runs' });
    await page.getByRole('link', { name: 'Workflows' }).first().click();
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New workflow' });
    await dialog.getByLabel('Name').fill('Typed');
    await page.goBack();
    await page.getByRole('dialog', { name: 'Discard your input?' }).getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL('**/workflows');
    await page.goBack();
    await page.waitForURL('**/runs');
  });

  it('closes a dialog on a page that also guards its changes', async () => {
    const person = await signedIn(server);
    const id = await new Account(person.client).workflow('Guarded', [], 'DRAFT');
    const { page } = await pages.open(server, { path: '/workflows', as: person });
    await page.getByRole('link', { name: 'Guarded' }).click();
    await page.waitForURL(`**/workflows/${id}**`);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Triggers/ })
      .click();
    await page.getByRole('button', { name: 'New trigger' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New trigger' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(`**/workflows/${id}/triggers`);
  });

  it('closes the navigation of a phone', async () => {
    const { page } = await pages.open(server, { path: '/runs', width: 390 });
    const open = page.getByRole('button', { name: 'Open navigation' });
    await open.click();
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    await drawer.getByRole('link', { name: 'Workflows' }).click();
    await page.waitForURL('**/workflows');
    await drawer.waitFor({ state: 'detached' });
    await open.click();
    await drawer.waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    await page.waitForURL('**/workflows');
  });
});
