import { startTestServer, type TestServer } from '../../support/server.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { axe } from '../support/axe.js';
import { clientOf, connectKey } from '../support/connect-world.js';
import { usePages } from '../support/dashboard.js';

describeInBrowser('an event of the sandbox', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('is sent from a new tab that has the URL, the secret and an event of the connection', async () => {
    const id = await connectKey(server, 'events', 'Shop');
    const links = 'query ($id: ID!) { integration(id: $id) { eventsUrl eventsSecret } }';
    const { body } = await (await clientOf(server, 'events')).graphql(links, { id });
    const { eventsUrl, eventsSecret } = body.data.integration as { eventsUrl: string; eventsSecret: string };
    const { page, context } = await pages.open(server, { as: { account: 'events' }, path: `/integrations/${id}` });
    const requested: string[] = [];
    context.on('request', (request) => requested.push(request.url()));
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'send an event from its page' }).click();
    const tab = await opening;
    await tab.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=secret]')?.value !== '');
    expect(await tab.getByLabel('Event URL').inputValue()).toBe(eventsUrl);
    expect(await tab.getByLabel('Signing secret').inputValue()).toBe(eventsSecret);
    expect(await tab.getByRole('combobox', { name: 'Event' }).inputValue()).toBe('item.created');
    // Neither a server nor the history learns the secret.
    expect(new URL(tab.url()).hash).toBe('');
    expect(requested.filter((url) => url.includes(eventsSecret))).toEqual([]);
    expect(await axe(tab)).toEqual([]);
    await tab.getByRole('button', { name: 'Send' }).click();
    await tab.getByRole('heading', { name: 'The event was accepted' }).waitFor();
    await tab.getByText('No trigger waited for this event').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/integrations/${id}`);
  });
});
