import { uuidOf } from '../../encryption/encrypted-world.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { signedIn, type SignedIn } from '../../support/worlds/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

const REASON = 'Its operator must add that key back to ENCRYPTION_KEY.';

describeInBrowser('what was encrypted with a lost key', () => {
  let server: TestServer;
  let person: SignedIn;
  let workflow: string;
  let trigger: string;
  let integration: string;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
    person = await signedIn(server);
    const account = new Account(person.client);
    const actions = [{ name: 'wait', kind: 'DELAY', config: { seconds: 1 } }];
    workflow = await account.workflow('Sealed', actions);
    trigger = (await account.trigger(workflow, 'WEBHOOK', { secret: 'a-secret-of-sixteen' })).id;
    integration = await account.connectSandbox('Mail');
    const lose = (column: string) => `${column} = replace(${column}::text, 'v1.', 'v1.0')`;
    await server.db.query(
      `UPDATE triggers SET config = replace(config::text, 'v1.', 'v1.0')::json, ${lose('hook_token')}`,
    );
    await server.db.query(`UPDATE action_lists SET ${lose('body')}`);
    await server.db.query(`UPDATE integrations SET ${lose('credentials')} WHERE id = $1`, [uuidOf(integration)]);
  });
  afterAll(() => server.close());

  it('is said where it stands, and the pages work', async () => {
    const { page } = await pages.open(server, { path: `/workflows/${workflow}`, as: person });
    await page.getByText('Its actions cannot be read').waitFor();
    await page.getByText(REASON).waitFor();
    await page.goto(`/integrations/${integration}`);
    await page.getByText('Its credentials cannot be read').waitFor();
    await page.getByText(REASON).waitFor();
    await page.goto('/integrations');
    await page.getByRole('link', { name: 'Mail' }).waitFor();
    await page.goto(`/triggers/${trigger}`);
    await page.getByText('Its secret or URL cannot be read').waitFor();
    await page.getByText(REASON).waitFor();
  });

  it('can be deleted', async () => {
    const { page } = await pages.open(server, { path: `/triggers/${trigger}`, as: person });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Delete/ })
      .click();
    await page.waitForURL((url) => !url.pathname.endsWith(trigger));
    expect(await server.db.query('SELECT 1 FROM triggers')).toEqual([]);
  });
});
