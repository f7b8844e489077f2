import { describeInBrowser } from '../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { axe } from './support/axe.js';
import { clientOf, connectKey } from './support/connect-world.js';
import { usePages } from './support/dashboard.js';

describeInBrowser('a test call in the dashboard', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function pageOf(account: string, options: { colorScheme?: 'light' | 'dark'; width?: number } = {}) {
    const id = await connectKey(server, account);
    const { page } = await pages.open(server, { as: { account }, path: `/integrations/${id}`, ...options });
    const section = page.getByRole('region', { name: 'Try a call' });
    const send = () => section.getByRole('button', { name: 'Send' }).click();
    return { id, page, section, send, answer: section.getByRole('status', { name: 'Response' }) };
  }

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('shows the response of the application, in %s at %i px', async (colorScheme, width) => {
    const { page, section, send, answer } = await pageOf(`callers-${width}`, { colorScheme, width });
    await section.getByLabel('Path').fill('/api/contacts');
    await send();
    await answer.getByText('Status 200').waitFor();
    await answer.getByText('Charles Babbage').waitFor();
    await answer.getByText('no-store').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await axe(page)).toEqual([]);
  });

  it('sends method, query, headers and body', async () => {
    const { section, send, answer } = await pageOf('senders');
    await section.getByLabel('Method').selectOption('POST');
    await section.getByLabel('Path').fill('/api/contacts');
    await section.getByLabel('Headers').fill('Idempotency-Key: 4711');
    await section.getByLabel('Body').fill('{ "name": "Grace Hopper" }');
    await send();
    await answer.getByText('Status 201').waitFor();
    await answer.getByText('Grace Hopper').waitFor();
    const first = await answer.getByText(/contact_/).innerText();
    await send();
    await answer.getByText('Status 201').waitFor();
    expect(await answer.getByText(/contact_/).innerText()).toBe(first);
    await section.getByLabel('Path').fill('/api/status/429');
    await section.getByLabel('Query').fill('retry_after=600');
    await send();
    await answer.getByText('Status 429').waitFor();
    await answer.getByText('600', { exact: true }).waitFor();
  });

  it('says that the application asked to wait, and until when', async () => {
    const { page, section, send, answer } = await pageOf('hasty');
    await section.getByLabel('Path').fill('/api/status/429?retry_after=600');
    await send();
    await answer.getByText('Status 429').waitFor();
    await page.getByText('Sandbox (API key) asked to wait. Runs continue after that.').waitFor();
    await section.getByLabel('Path').fill('/me');
    await send();
    await section.getByText('The application asked to wait. Nothing was sent.').waitFor();
    expect(await answer.count()).toBe(0);
    expect(await axe(page)).toEqual([]);
  });

  it('points to what it could not read or send', async () => {
    const { page, section, send } = await pageOf('mistaken');
    await section.getByLabel('Path').fill('me');
    await section.getByLabel('Query').fill('a=1\nb');
    await send();
    await section.getByText('Line 2 must have a name, “=” and a value.').waitFor();
    await section.getByLabel('Query').fill('');
    await section.getByLabel('Headers').fill('Host: evil.test');
    await send();
    await section.getByText(/must begin with exactly one \//i).waitFor();
    await section.getByText(/Host .*can't be set/).waitFor();
    expect(await section.locator('[aria-invalid=true]').count()).toBe(2);
    expect(await axe(page)).toEqual([]);
  });

  it('is not offered where nothing is connected', async () => {
    const { id, page, section } = await pageOf('gone');
    await section.waitFor();
    const client = await clientOf(server, 'gone');
    await client.rest('POST', `/integrations/${id}/disconnect`);
    await section.waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { name: 'Billing' }).count()).toBe(1);
  });
});
