import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('an example of a service in production', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer({ env: { NODE_ENV: 'production' } });
  });
  afterAll(() => server.close());

  it('sends the user an email instead of calling the sandbox, and says why', async () => {
    const { page, email } = await pages.open(server, { as: { account: 'earnest' } });
    await page.getByRole('button', { name: 'Create an example' }).click();
    await page.getByText('The sandbox is off on this service.').waitFor();
    const panel = page.getByRole('region', { name: 'Test run' });
    await panel.getByRole('button', { name: 'Run test' }).click();
    await panel.getByText('Succeeded').first().waitFor();
    const [mail] = await server.db.query<{ recipients: string[] }>('SELECT recipients FROM mails');
    expect(mail?.recipients).toEqual([email]);
  });
});
