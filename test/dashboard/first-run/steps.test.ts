import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account, SHORT } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the first steps', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const accountOf = async (account: string): Promise<Account> =>
    new Account((await signedIn(server, { account })).client);

  it('are not completed by a skipped run, but by one that has ended, and stay completed', async () => {
    const account = await accountOf('skips');
    await account.connectSandbox('Sandbox');
    const id = await account.workflow('Follow up', [SHORT], 'DRAFT');
    const { hook } = await account.trigger(id);
    expect(await account.ended(await account.fire(hook))).toBe('SKIPPED');
    const { page } = await pages.open(server, { as: { account: 'skips' } });
    await page.getByText('4 of 5 done').waitFor();
    const run = page.getByRole('listitem').filter({ hasText: 'See it run' });
    expect(await run.getAttribute('aria-current')).toBe('step');
    await account.ask('mutation ($id: ID!) { updateWorkflow(id: $id, input: { status: ACTIVE }) { id } }', { id });
    await account.ended(await account.fire(hook));
    await page.getByText('5 of 5 done').waitFor();
    await account.ask('mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id });
    await page.reload();
    await page.getByRole('region', { name: 'Latest failures' }).waitFor();
    expect(await page.getByText('of 5 done').count()).toBe(0);
  });

  it('do not come back for a new user of an account whose workflows have run', async () => {
    const account = await accountOf('grown');
    const { hook } = await account.trigger(await account.workflow('The first', [SHORT]));
    await account.ended(await account.fire(hook));
    for (let number = 1; number <= 21; number += 1) await account.workflow(`Empty ${number}`);
    const { page } = await pages.open(server, { as: { account: 'grown' } });
    await page.getByRole('region', { name: 'Latest failures' }).waitFor();
    expect(await page.getByText('of 5 done').count()).toBe(0);
  });
});
