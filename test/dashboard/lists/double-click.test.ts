import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { signedIn } from '../../support/worlds/people.js';
import { Account } from '../support/account.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('a double click on a page of a list', () => {
  const pages = usePages();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it.each([
    ['/runs', 'Older'],
    ['/workflows', 'Page 2'],
  ])('adds one entry to the history (%s)', async (path, button) => {
    const person = await signedIn(server);
    const account = new Account(person.client);
    for (const name of ['One', 'Two', 'Three']) {
      const { hook } = await account.trigger(await account.workflow(name));
      await account.ended(await account.fire(hook));
    }
    const { page } = await pages.open(server, { path: `${path}?per_page=1`, as: person });
    page.setDefaultTimeout(15_000);
    const step = page.getByRole('button', { name: button });
    await step.waitFor();
    // The items of the next page come after both clicks.
    const clicked = Promise.withResolvers<void>();
    await page.route('**/graphql', (route) => clicked.promise.then(() => route.fallback()));
    const before = await page.evaluate(() => history.length);
    await step.dblclick();
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
    clicked.resolve();
  });
});
