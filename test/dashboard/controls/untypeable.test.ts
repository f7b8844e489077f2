import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('what a user cannot type', () => {
  const pages = usePages();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('is not asked for to confirm a deletion: a word is', async () => {
    const person = await signedIn(server);
    const id = await new Account(person.client).workflow('Invoices \u202Egnp.exe\u200B!');
    const { page } = await pages.open(server, { path: `/workflows/${id}/settings`, as: person });
    page.setDefaultTimeout(15_000);
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type “delete” to confirm').fill('delete');
    await dialog.getByRole('button', { name: 'Delete workflow' }).click();
    await page.waitForURL('**/workflows');
  });

  it('an unknown application in the URL is none that was deleted', async () => {
    const { page } = await pages.open(server, { path: '/integrations/new/none' });
    page.setDefaultTimeout(15_000);
    await page.getByRole('heading', { name: 'There is no such application' }).waitFor();
    expect(await page.getByText('deleted').count()).toBe(0);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});
