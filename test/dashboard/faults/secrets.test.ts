import { type Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../support/server.js';
import { connectOAuth } from '../support/connect-world.js';
import { usePages } from '../support/dashboard.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { isInMemory } from '../support/memory.js';

describeInBrowser('a secret', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer({ env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  });
  afterAll(() => server.close());

  const WAYS: Record<string, { path: string; what: string; done?: string; make: (page: Page) => Promise<void> }> = {
    'API key': {
      path: '/settings/api-keys',
      what: 'API key',
      async make(page) {
        await page.getByRole('button', { name: 'New API key' }).first().click();
        await page.getByRole('textbox', { name: 'Label' }).fill('Reports');
        await page.getByRole('button', { name: 'Create key' }).click();
      },
    },
    'signing secret of a webhook': {
      path: '/settings/webhooks',
      what: 'signing secret',
      async make(page) {
        await page.getByRole('button', { name: 'New webhook' }).first().click();
        await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook');
        await page.getByRole('checkbox', { name: 'All of runs' }).check();
        await page.getByRole('button', { name: 'Create webhook' }).click();
      },
    },
    invitation: {
      path: '/settings/users',
      what: 'invitation link',
      done: 'Done',
      async make(page) {
        await page.getByRole('button', { name: 'Invite user' }).click();
        await page.getByLabel('Email').fill('eve@people.example');
        await page.keyboard.press('Enter');
      },
    },
  };

  /** What React keeps of the state before goes with the next page, what the cache does of the last answer with the next. */
  async function goOn(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.getByRole('button', { name: 'New workflow' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Other');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Other' }).waitFor();
  }

  it.each(Object.entries(WAYS))(
    '(%s) is nowhere in the page any more when its dialog is closed',
    async (_name, way) => {
      const { path, what, done = 'Done, I saved it', make } = way;
      const { page } = await pages.open(server, { path, as: { account: what } });
      await make(page);
      const secret = await page.getByRole('region', { name: what }).innerText();
      expect(await isInMemory(page, secret)).toBe(true);
      await page.getByRole('button', { name: done }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await goOn(page);
      expect(await isInMemory(page, secret)).toBe(false);
    },
  );

  it('(signing secret of events, which can be shown again) is nowhere in the page any more when it is hidden', async () => {
    const id = await connectOAuth(server, 'events');
    const { page } = await pages.open(server, { path: `/integrations/${id}`, as: { account: 'events' } });
    await page.getByRole('button', { name: 'Show the secret' }).click();
    const secret = await page.getByRole('region', { name: 'Signing secret' }).innerText();
    await page.getByRole('button', { name: 'Hide it' }).click();
    await goOn(page);
    expect(await isInMemory(page, secret)).toBe(false);
  });
});
