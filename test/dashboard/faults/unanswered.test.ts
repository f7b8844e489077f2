import { startTestServer, type TestServer } from '../../support/server.js';
import { usePages } from '../support/dashboard.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';

describeInBrowser('a question that the service could not answer', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  // GraphQL then says `data: null`.
  it.each([
    ['Viewer', '/workflows', 'Workflows'],
    ['Workflows', '/workflows', 'Create your first workflow'],
    ['Catalog', '/integrations/new', 'Ready to connect'],
    ['ApiKeys', '/settings/api-keys', 'Create your first API key'],
  ])('(%s, at %s) is shown as such, and fetched again', async (operation, path, wished) => {
    const { page } = await pages.open(server, { path: '/developers', as: { account: operation } });
    await page.route('**/graphql', (route) => {
      const asked = route.request().postDataJSON() as { operationName: string };
      if (asked.operationName !== operation) return route.fallback();
      const errors = [{ message: 'The database is away.', extensions: { code: 'UNAVAILABLE' } }];
      return route.fulfill({ json: { data: null, errors } });
    });
    await page.goto(path);
    await page.getByRole('alert').getByText('The database is away.').waitFor();
    // The page tries again by itself.
    await page.unroute('**/graphql');
    await page.getByRole('heading', { name: wished }).waitFor();
  });

  it('leaves what is on screen when it is asked again', async () => {
    const { page } = await pages.open(server, { path: '/settings/users', as: { account: 'kept', name: 'Ada' } });
    const row = page.getByRole('row', { name: /^Ada/ });
    await row.waitFor();
    await page.route('**/graphql', (route) => {
      const asked = route.request().postDataJSON() as { operationName: string };
      if (asked.operationName !== 'Users') return route.fallback();
      const errors = [{ message: 'The database is away.', extensions: { code: 'UNAVAILABLE' } }];
      return route.fulfill({ json: { data: null, errors } });
    });
    const answered = page.waitForResponse((answer) => answer.request().postData()?.includes('Users') === true);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await (await answered).finished();
    // What would take its place has had its turn.
    await page.getByRole('button', { name: 'Invite user' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.getByText('The database is away.').count()).toBe(0);
    expect(await page.getByRole('row', { name: /^Ada/, includeHidden: true }).count()).toBe(1);
  });
});
