import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';

const MAIL = { name: 'tell', kind: 'SEND_EMAIL', config: { to: ['ada@example.com'], subject: 'Hi', text: 'There' } };
const ASK = { name: 'ask', kind: 'WAIT_FOR_APPROVAL', config: { title: 'Go on?' } };
const UNSENT = /^This service sends no emails/;

describeInBrowser('a service without a mail server', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('says so where an email is set up', async () => {
    const person = await signedIn(server);
    const id = await new Account(person.client).workflow('Tells', [MAIL, ASK]);
    const { page } = await pages.open(server, { path: `/workflows/${id}/actions`, as: person });
    for (const name of ['tell', 'ask']) {
      const card = page.getByRole('listitem').filter({ hasText: name });
      await card
        .getByRole('button', { name: new RegExp(name) })
        .first()
        .click();
      await page.getByText(UNSENT).waitFor();
      expect(await axe(page)).toEqual([]);
      await card
        .getByRole('button', { name: new RegExp(name) })
        .first()
        .click();
      await page.getByText(UNSENT).waitFor({ state: 'detached' });
    }
    await page.goto(`/workflows/${id}/settings`);
    const form = page.getByRole('form', { name: 'Failure notices' });
    await form.getByText(UNSENT).waitFor();
    await form.getByRole('checkbox').click();
    await form.getByText(UNSENT).waitFor({ state: 'detached' });
  });
});
