import { fromPublicId } from '../../src/platform/ids/ids.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { axe } from './support/axe.js';
import { clientOf, connectKey } from './support/connect-world.js';
import { usePages } from './support/dashboard.js';

describeInBrowser('the secret of events in the dashboard', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  /** The page of a connection to an application of the catalog, whose provider no test can reach. */
  async function pageOf(type: string) {
    const id = await connectKey(server, type, 'Payments');
    await server.db.query(`UPDATE integrations SET type = $2 WHERE id = $1`, [fromPublicId('int', id), type]);
    const { page } = await pages.open(server, { as: { account: type }, path: `/integrations/${id}` });
    return { id, page };
  }
  async function proofOf(account: string, id: string): Promise<string> {
    const query = 'query ($id: ID!) { integration(id: $id) { eventsProof } }';
    return (await (await clientOf(server, account)).graphql(query, { id })).body.data.integration.eventsProof as string;
  }

  it('is set, replaced and removed where the provider makes it, and never shown', async () => {
    const { id, page } = await pageOf('stripe');
    await page.getByText('No secret is set: unsigned posts are accepted, so keep the URL secret.').waitFor();
    expect(await axe(page)).toEqual([]);
    const field = page.getByRole('textbox', { name: 'Signing secret' });
    await field.fill('whsec_the_secret_of_stripe');
    await page.getByRole('button', { name: 'Set the secret' }).click();
    await page.getByText('A secret is set and stored encrypted: posts without its signature are refused.').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await proofOf('stripe', id)).toBe('SET');
    expect(await page.getByRole('button', { name: 'Replace the secret' }).isDisabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: 'Set the secret' }).waitFor();
    expect(await proofOf('stripe', id)).toBe('MISSING');
  });

  it('is refused at its field', async () => {
    const { id, page } = await pageOf('resend');
    await page.getByRole('textbox', { name: 'Signing secret' }).fill('not base64');
    await page.keyboard.press('Enter');
    await page.getByText('Must be base64 after whsec_').waitFor();
    expect(await proofOf('resend', id)).toBe('MISSING');
  });

  it('is not asked for where nothing is signed', async () => {
    const { page } = await pageOf('postmark');
    await page.getByText('Postmark does not sign its events: the URL itself is the secret.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Signing secret' }).count()).toBe(0);
  });
});
