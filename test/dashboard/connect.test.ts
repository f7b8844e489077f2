import { type BrowserContext, type Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server.js';
import { axe } from './support/axe.js';
import { answerAtSandbox, connectApps, connectKey, connectOAuth, cuttable } from './support/connect-world.js';
import { type Dashboard, type OpenOptions, usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

describeInBrowser('connecting an application in the dashboard', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer({ apps: connectApps });
  });
  afterAll(() => server.close());

  let accounts = 0;
  async function dashboard(path: string, options: OpenOptions = {}): Promise<Dashboard> {
    const as = { account: `connecting-${(accounts += 1)}` };
    return pages.open(server, { as, path, ...options });
  }
  const OAUTH = '/integrations/new/sandbox_oauth';

  /** Presses the button that opens the window. @returns that window, at the application's question. */
  async function press(page: Page, context: BrowserContext, name: string | RegExp = /^Continue to/): Promise<Page> {
    const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name }).click()]);
    await popup.getByRole('button', { name: 'Grant' }).waitFor();
    return popup;
  }
  async function decide(popup: Page, decision: 'Grant' | 'Deny'): Promise<void> {
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: decision }).click();
    await closed;
  }
  const connected = async (page: Page) => {
    await page.waitForURL(/\/integrations\/int_\w+$/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[data-status=CONNECTED]').first().waitFor();
  };

  describe('by API key', () => {
    it('says at the field that the key was refused, and takes a good one', async () => {
      const { page } = await dashboard('/integrations/new/sandbox_api_key');
      await page.getByLabel('Name').fill('Billing <i>2</i>');
      await page.getByRole('textbox', { name: 'API key' }).fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByText('Sandbox (API key) refused this key, so nothing was saved.').waitFor();
      expect(await axe(page)).toEqual([]);
      // As it is pasted.
      await page.getByRole('textbox', { name: 'API key' }).fill(' sandbox_valid_key ');
      await page.keyboard.press('Enter');
      await connected(page);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Billing <i>2</i>');
    });

    it('says at the field that the application could not be reached', async () => {
      const { page } = await dashboard('/integrations/new/silent');
      await page.getByRole('textbox', { name: 'API key' }).fill('any');
      await page.getByRole('button', { name: 'Check and connect' }).click();
      await page.getByText('Silent did not answer, so the key could not be checked and nothing was saved.').waitFor();
    });

    it('asks for what the application needs to know, and says what does not fit', async () => {
      const { page } = await dashboard('/integrations/new/shop');
      await page.getByRole('textbox', { name: 'API key' }).fill('sandbox_valid_key');
      await page.getByRole('textbox', { name: 'Shop' }).fill('https://acme.shop.example');
      await page.keyboard.press('Enter');
      await page.getByText('Is invalid: enter only the part that the line above names.').waitFor();
      await page.getByRole('textbox', { name: 'Shop' }).fill('acme');
      await page.keyboard.press('Enter');
      await connected(page);
    });

    it('offers the regions of the application, the default first', async () => {
      const { page } = await dashboard('/integrations/new/regional');
      const region = page.getByRole('combobox', { name: 'Region' });
      expect(await region.inputValue()).toBe('us');
      expect(await axe(page)).toEqual([]);
      await region.click();
      expect(await page.getByRole('option').allInnerTexts()).toEqual(['us', 'eu']);
      await page.getByRole('option', { name: 'eu' }).click();
      await page.getByRole('textbox', { name: 'API key' }).fill('sandbox_valid_key');
      await page.getByRole('button', { name: 'Check and connect' }).click();
      await connected(page);
    });

    it('a refused new key leaves the old one in use', async () => {
      const as = { account: 'rekeyed' };
      const id = await connectKey(server, 'rekeyed');
      const { page } = await dashboard(`/integrations/${id}`, { as });
      await page.getByRole('button', { name: 'Reconnect' }).click();
      const dialog = page.getByRole('dialog', { name: 'Reconnect Billing' });
      await dialog.getByRole('textbox', { name: 'API key' }).fill('wrong');
      await page.keyboard.press('Enter');
      await dialog.getByText('refused this key').waitFor();
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('textbox', { name: 'API key' }).fill('sandbox_valid_key');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('row', { name: /^Reconnected/ }).waitFor();
    });
  });

  describe('by OAuth', () => {
    it('appears in both tabs as soon as it is granted', async () => {
      const { page, context } = await dashboard('/integrations/new?search=oauth%202');
      const list = await context.newPage();
      await list.goto('/integrations');
      await list.getByText('Connect your first application').waitFor();
      await page.getByRole('link', { name: /^Sandbox \(OAuth 2\)/ }).click();
      await page.getByLabel('Name').fill('Support inbox');
      const popup = await press(page, context);
      await page.getByText('Continue in the window that opened').waitFor();
      expect(await axe(page)).toEqual([]);
      await list.getByRole('row', { name: /Support inbox.*Pending/ }).waitFor();
      // The leaked URL cannot end the flow in another browser.
      await expect(answerAtSandbox(popup.url(), 'grant')).rejects.toThrow('answered 400');
      await decide(popup, 'Grant');
      await connected(page);
      await page.getByText('“Support inbox” is connected.').waitFor();
      await list.getByRole('row', { name: /Support inbox.*Ada Lovelace.*Connected/ }).waitFor();
    });

    it('says that access was denied, and tries again with the same connection', async () => {
      const { page, context } = await dashboard(OAUTH);
      await decide(await press(page, context), 'Deny');
      await page.getByText('Access was denied at Sandbox (OAuth 2). Try again, and allow access there.').waitFor();
      expect(await axe(page)).toEqual([]);
      await decide(await press(page, context, 'Try again'), 'Grant');
      await connected(page);
      await page.goto('/integrations');
      await page.getByText('1–1 of 1').waitFor();
    });

    it('notices that the window was closed, and opens it again', async () => {
      const { page, context } = await dashboard(OAUTH);
      await (await press(page, context)).close();
      await page.getByText('The window is closed').waitFor();
      await decide(await press(page, context, 'Open it again'), 'Grant');
      await connected(page);
    });

    it('gives a link where the browser blocks the window', async () => {
      const { page, context } = await dashboard(OAUTH);
      await page.evaluate(() => void Object.assign(globalThis, { open: () => null }));
      await page.getByRole('button', { name: /^Continue to/ }).click();
      const link = page.getByRole('link', { name: 'Open Sandbox (OAuth 2)' });
      await link.waitFor();
      expect(await axe(page)).toEqual([]);
      const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
      await tab.getByRole('button', { name: 'Grant' }).click();
      await connected(page);
    });

    it('leaves nothing behind when it is canceled', async () => {
      const { page, context } = await dashboard(OAUTH);
      const popup = await press(page, context);
      const closed = popup.waitForEvent('close');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await closed;
      await page.getByRole('button', { name: /^Continue to/ }).waitFor();
      await page.goto('/integrations');
      await page.getByText('Connect your first application').waitFor();
    });

    it('says that the exchange failed', async () => {
      const { page, context } = await dashboard(OAUTH);
      const popup = await press(page, context);
      const asked = new URL(popup.url()).searchParams;
      const query = new URLSearchParams({
        state: asked.get('state')!,
        code: 'forged',
        iss: `${server.baseUrl}/sandbox`,
      });
      await popup.goto(`/oauth/callback/sandbox_oauth?${query.toString()}`).catch(() => undefined);
      await page.getByText('did not issue the credentials').waitFor();
    });

    it('hears of what was granted while the connection was lost', async () => {
      const { page, context } = await dashboard('/integrations');
      const line = await cuttable(page);
      await page.goto(OAUTH);
      const popup = await press(page, context);
      await line.cut();
      await page.getByText('This page has lost its connection.').waitFor();
      expect(await axe(page)).toEqual([]);
      const cookies = await context.cookies();
      // Nothing in this browser hints at it: only the service knows.
      await answerAtSandbox(popup.url(), 'grant', cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
      line.restore();
      await connected(page);
      await page.getByText('The connection was lost. Reconnecting').waitFor({ state: 'detached' });
    });

    it('hears of it where no WebSocket gets through at all', async () => {
      const { page, context } = await dashboard('/integrations');
      const line = await cuttable(page);
      await line.cut();
      await page.goto(OAUTH);
      const popup = await press(page, context);
      await popup.getByRole('button', { name: 'Grant' }).click();
      await connected(page);
    });

    it('polls where no WebSocket gets through and nothing hints at the answer', async () => {
      const { page, context } = await dashboard('/integrations');
      const line = await cuttable(page);
      await line.cut();
      await page.goto(OAUTH);
      const popup = await press(page, context);
      const cookies = await context.cookies();
      await answerAtSandbox(popup.url(), 'grant', cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
      await connected(page);
    });

    it('closes the window with the dialog', async () => {
      const as = { account: 'closers' };
      const id = await connectOAuth(server, 'closers');
      const { page, context } = await dashboard(`/integrations/${id}`, { as });
      const popup = await press(page, context, 'Reconnect');
      const closed = popup.waitForEvent('close');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await closed;
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('can be canceled while the service does not answer', async () => {
      const as = { account: 'waiters' };
      const id = await connectOAuth(server, 'waiters');
      const { page, context } = await dashboard(`/integrations/${id}`, { as });
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()!.includes('ReconnectIntegration')) await answered;
        return route.continue();
      });
      const [popup] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('button', { name: 'Reconnect' }).click(),
      ]);
      const closed = popup.waitForEvent('close');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await closed;
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      answer();
    });

    it('believes no message of the window: it asks', async () => {
      const { page, context } = await dashboard(OAUTH);
      const answers = (operation: string) =>
        page.waitForResponse((answer) => answer.request().postData()?.includes(operation) === true);
      const [started, popup] = await Promise.all([answers('ConnectIntegration'), press(page, context)]);
      const { data } = (await started.json()) as { data: { connectIntegration: { integrationId: string } } };
      const asked = answers('FlowNews');
      await popup.evaluate((integration_id) => {
        const { opener } = globalThis as unknown as { opener: { postMessage(data: unknown, origin: string): void } };
        opener.postMessage({ integration_id, status: 'connected' }, '*');
      }, data.connectIntegration.integrationId);
      expect((await asked).ok()).toBe(true);
      await popup.close();
      await page.getByText('The window is closed').waitFor();
    });

    it('says which account was expected, and changes nothing, when another one answers', async () => {
      const as = { account: 'mismatched' };
      const id = await connectOAuth(server, 'mismatched');
      const { page, context } = await dashboard(`/integrations/${id}`, { as });
      const popup = await press(page, context, 'Reconnect');
      const dialog = page.getByRole('dialog', { name: 'Reconnect Support inbox' });
      await dialog.getByText('The connection belongs to Ada Lovelace: sign in as that account.').waitFor();
      expect(await axe(page)).toEqual([]);
      await popup.getByLabel('You are').selectOption('Grace Hopper');
      await decide(popup, 'Grant');
      await dialog.getByText('You signed in with another account of Sandbox (OAuth 2)').waitFor();
      await decide(await press(page, context, 'Try again'), 'Grant');
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('row', { name: /^Reconnected/ }).waitFor();
      await page.getByRole('row', { name: /^Another account/ }).waitFor();
    });

    it('says in the first tab that a second one has started it again', async () => {
      const as = { account: 'superseded' };
      const id = await connectOAuth(server, 'superseded');
      const { page, context } = await dashboard(`/integrations/${id}`, { as });
      await press(page, context, 'Reconnect');
      const second = await context.newPage();
      await second.goto(`/integrations/${id}`);
      const popup = await press(second, context, 'Reconnect');
      await page.getByRole('dialog').getByText('Only the newest attempt counts').waitFor();
      await decide(popup, 'Grant');
      await second.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('row', { name: /^Reconnected/ }).waitFor();
    });

    it('says after ten minutes that there was no answer, in each tab', async () => {
      const { page, context } = await dashboard(OAUTH);
      const popup = await press(page, context);
      const list = await context.newPage();
      await list.goto('/integrations');
      await list.getByRole('row', { name: /Pending/ }).waitFor();
      await popup.getByRole('button', { name: 'Never answer' }).click();
      await server.advance(601_000);
      await page.getByText('Ten minutes passed without an answer').waitFor();
      await list.getByRole('button', { name: 'Show' }).click();
      await list.getByRole('row', { name: /No answer/ }).waitFor();
      await decide(await press(page, context, 'Try again'), 'Grant');
      await connected(page);
    });
  });

  it('an application without a client says what its operator has to set', async () => {
    const { page } = await dashboard('/integrations/new/slack', { colorScheme: 'dark', width: 390 });
    await page.getByText(`${server.baseUrl}/oauth/callback/slack`).waitFor();
    expect(await page.getByRole('region', { name: 'Environment variables' }).innerText()).toMatch(/^SLACK_CLIENT_ID=/);
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
