import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { signedIn, type SignedIn } from '../../support/worlds/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { ActionCards } from '../action-cards.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('the errors in the editor', () => {
  let server: TestServer;
  let person: SignedIn;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
    person = await signedIn(server);
  });
  afterAll(() => server.close());

  const account = () => new Account(person.client);

  async function editor(actions: readonly object[] = []): Promise<{ page: Page; id: string; cards: ActionCards }> {
    const id = await account().workflow('Faulty', actions, 'DRAFT');
    const { page } = await pages.open(server, { path: `/workflows/${id}/actions`, as: person });
    await page.getByRole('heading', { name: 'Actions' }).waitFor();
    return { page, id, cards: new ActionCards(page) };
  }

  it('are all there at once: those of the form and those of the service', async () => {
    const { page, id, cards } = await editor();
    await cards.add('HTTP request', 'request');
    await cards.add('App request', 'app');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await page.getByRole('button', { name: '3 errors: go to the first' }).waitFor();
    await cards.headings.filter({ hasText: 'request' }).getByText('1 error').waitFor();
    await cards.headings.filter({ hasText: 'app' }).getByText('2 errors').waitFor();
    await page.getByText('Must be chosen.').waitFor();
    const read = 'query ($id: ID!) { workflow(id: $id) { actionsVersion } }';
    expect((await account().ask(read, { id })).workflow.actionsVersion).toBe('none');
  });

  it('save nothing while only the form has one', async () => {
    const { page, id, cards } = await editor();
    const request = await cards.add('HTTP request', 'request');
    await request.getByLabel('URL', { exact: true }).fill('https://example.com');
    await request.getByText('JSON', { exact: true }).click();
    await request.getByLabel('JSON body', { exact: true }).fill('{ a: 1 }');
    await page.getByRole('button', { name: 'Save actions' }).click();
    await page.getByRole('button', { name: '1 error: go to the first' }).waitFor();
    await request.getByText(/^This is not valid JSON/).waitFor();
    const read = 'query ($id: ID!) { workflow(id: $id) { actionsVersion } }';
    expect((await account().ask(read, { id })).workflow.actionsVersion).toBe('none');
  });

  it('of an action that read a later one go when it is moved back', async () => {
    const reads = {
      name: 'reads',
      kind: 'HTTP_REQUEST',
      config: { method: 'GET', url: 'https://example.com/{{ steps.wait.x }}' },
    };
    const { page, cards } = await editor([{ name: 'wait', kind: 'DELAY', config: { seconds: 1 } }, reads]);
    await page.getByRole('button', { name: 'Move reads up' }).click();
    await page.getByRole('button', { name: 'Save actions' }).click();
    const error = page.getByText('No earlier action of the workflow has the name "wait".');
    await error.waitFor();
    await page.getByRole('button', { name: 'Move reads down' }).click();
    await cards.become('1 wait', '2 reads');
    await error.waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: /errors?: go to the first/ }).count()).toBe(0);
  });

  it('of a name that two actions have go when the other one is renamed', async () => {
    const { page, cards } = await editor([{ name: 'one', kind: 'DELAY', config: { seconds: 1 } }]);
    await cards.add('Delay', 'one');
    await page.getByRole('button', { name: 'Save actions' }).click();
    const error = page.getByText('Must be unique in the workflow.');
    await error.waitFor();
    await cards.headings.getByRole('button').first().click();
    await page.getByLabel('Name', { exact: true }).first().fill('first');
    await error.waitFor({ state: 'hidden' });
  });
});
