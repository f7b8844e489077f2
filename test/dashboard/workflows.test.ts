import { type Browser } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server.js';
import { PASSWORD, makeUser, signedIn } from '../support/people.js';
import { axe } from './support/axe.js';
import { type Dashboard, launchBrowser, openDashboard } from './support/dashboard.js';
import { describeInBrowser } from './support/in-browser.js';

describeInBrowser('the dashboard in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let open: Dashboard[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
  });
  afterEach(async () => {
    const opened = open;
    open = [];
    for (const dashboard of opened) await dashboard.close();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  async function dashboard(options: Parameters<typeof openDashboard>[2] = {}): Promise<Dashboard> {
    const opened = await openDashboard(browser, server, options);
    open.push(opened);
    return opened;
  }

  /** Makes workflows in an account of its own. */
  async function make(account: string, ...names: string[]): Promise<void> {
    const { client } = await signedIn(server, { account });
    for (const name of names) {
      await client.graphql('mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }', {
        input: { name },
      });
    }
  }

  describe('signing in', () => {
    it('leads back to the page that one wanted', async () => {
      const email = await makeUser(server);
      const { page } = await dashboard({ path: '/workflows?status=draft', as: false });
      await page.waitForURL('**/sign-in?to=*');
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
      expect(new URL(page.url()).search).toBe('?status=draft');
    });

    it('tells what was wrong, beside the form', async () => {
      const email = await makeUser(server);
      const { page } = await dashboard({ path: '/sign-in', as: false });
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('alert').innerText()).toBe('The e-mail address or the password is wrong.');
      expect(await axe(page)).toEqual([]);
    });

    it.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
      'does not lead to %s',
      async (to) => {
        const email = await makeUser(server);
        const { page } = await dashboard({ path: `/sign-in?to=${encodeURIComponent(to)}`, as: false });
        await page.getByLabel('E-mail').fill(email);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.keyboard.press('Enter');
        await page.getByRole('navigation', { name: 'Main' }).waitFor();
        expect(new URL(page.url()).origin).toBe(server.baseUrl);
      },
    );

    it('is asked for again where the session has ended', async () => {
      const { page, context } = await dashboard({ path: '/workflows', as: { account: 'ended' } });
      await page.getByText('Make your first workflow').waitFor();
      await context.clearCookies();
      await page.getByLabel('Search workflows').fill('invoices');
      await page.waitForURL('**/sign-in?to=%2Fworkflows%3Fsearch%3Dinvoices');
    });
  });

  describe('the list of workflows', () => {
    it('says how to begin, and goes to what is made', async () => {
      const { page } = await dashboard({ path: '/workflows', as: { account: 'beginners' } });
      await page.getByText('Make your first workflow').waitFor();
      await page.getByRole('button', { name: 'New workflow' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'New workflow' });
      await dialog.getByLabel('Name').fill('Welcome <b>new</b> customers');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/workflows\/wf_\w+$/);
      await page.goto('/workflows');
      expect(await page.getByRole('row').nth(1).innerText()).toMatch(/^Welcome <b>new<\/b> customers\s+Draft\s+0/);
    });

    it('tells at the field what is wrong with it, and moves there', async () => {
      const { page } = await dashboard({ path: '/workflows', as: { account: 'mistaken' } });
      await page.getByRole('button', { name: 'New workflow' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'New workflow' });
      await dialog.getByRole('button', { name: 'Create workflow' }).click();
      await dialog.getByText('Must not be empty.').waitFor();
      const field = dialog.getByLabel('Name');
      expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
      expect(await axe(page)).toEqual([]);
      await field.fill('x');
      expect(await dialog.getByText('Must not be empty.').count()).toBe(0);
    });

    it('is filtered by status and text, which the address keeps', async () => {
      await make('searchers', 'Sync invoices', 'Nightly report');
      const { page } = await dashboard({ path: '/workflows', as: { account: 'searchers' } });
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('REPORT');
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('row').count()).toBe(2);
      expect(new URL(page.url()).search).toBe('?search=REPORT');
      await page.goto('/workflows?search=REPORT&status=active');
      await page.getByText('No workflow matches').waitFor();
      await page.getByRole('link', { name: 'Show all workflows' }).click();
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      expect(await page.getByLabel('Search workflows').inputValue()).toBe('');
    });

    it('has pages, which the address keeps', async () => {
      await make('many', ...Array.from({ length: 3 }, (_, index) => `Workflow ${index + 1}`));
      const { page } = await dashboard({ path: '/workflows?per_page=2', as: { account: 'many' } });
      await page.getByText('1–2 of 3').waitFor();
      await page.getByRole('button', { name: 'Page 2' }).click();
      await page.getByText('3–3 of 3').waitFor();
      await page.goBack();
      await page.getByText('1–2 of 3').waitFor();
      await page.goto('/workflows?page=9');
      await page.getByText('There is nothing on page 9.').waitFor();
    });

    it('says in a sentence that the service fails, and comes when it is asked again', async () => {
      const { page } = await dashboard({ path: '/workflows', as: { account: 'unlucky' } });
      await page.getByText('Make your first workflow').waitFor();
      await page.route('**/graphql', (route) => route.abort());
      await page.getByLabel('Search workflows').fill('x');
      await page.goto('about:blank');
      await page.unroute('**/graphql');
      let failing = true;
      await page.route('**/graphql', async (route) => {
        if (!failing || !route.request().postData()?.includes('Workflows')) return route.fallback();
        const errors = [{ message: 'Something went wrong on our side.', extensions: { code: 'INTERNAL_ERROR' } }];
        return route.fulfill({
          status: 500,
          contentType: 'application/graphql-response+json',
          headers: { 'x-request-id': 'r-123' },
          body: JSON.stringify({ errors }),
        });
      });
      await page.goto('/workflows');
      await page.getByText('Something went wrong on our side.').waitFor();
      await page.getByText('r-123').waitFor();
      expect(await axe(page)).toEqual([]);
      failing = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Make your first workflow').waitFor();
    });
  });

  describe('for everybody', () => {
    beforeAll(() => make('looked-at', 'Sync invoices', 'x'.repeat(255)));

    it.each([
      ['light', 1440],
      ['dark', 1440],
      ['light', 390],
      ['dark', 390],
    ] as const)(
      'axe finds nothing in %s at %i px, and nothing is wider than the window',
      async (colorScheme, width) => {
        const as = { account: 'looked-at' };
        const { page } = await dashboard({ path: '/workflows', as, colorScheme, width });
        await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
        expect(await axe(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      },
    );

    it('the navigation is a drawer on a phone', async () => {
      const { page } = await dashboard({ path: '/workflows', as: { account: 'looked-at' }, width: 390 });
      await page.getByRole('button', { name: 'Open navigation' }).click();
      const drawer = page.getByRole('dialog', { name: 'Navigation' });
      await drawer.getByRole('link', { name: 'Workflows' }).waitFor();
      expect(await axe(page)).toEqual([]);
      await drawer.getByRole('link', { name: 'Workflows' }).click();
      await drawer.waitFor({ state: 'hidden' });
    });

    it('light or dark is chosen once, and there before the first paint', async () => {
      const { page } = await dashboard({ path: '/workflows', as: { account: 'looked-at', name: 'Grace' } });
      await page.getByRole('button', { name: 'Grace' }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      await page.reload({ waitUntil: 'commit' });
      const scheme = await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme);
      expect(await scheme.jsonValue()).toBe('dark');
    });

    it('the first key leads past the navigation, and a navigation to the heading', async () => {
      const { page } = await dashboard({ path: '/workflows', as: { account: 'looked-at' } });
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      await page.keyboard.press('Tab');
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      expect(await focused()).toBe('Skip to content');
      await page.getByRole('link', { name: 'Sync invoices' }).click();
      await page.waitForFunction(() => document.querySelector('h1:focus')?.textContent === 'Sync invoices');
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('h1:focus')?.textContent === 'Workflows');
    });

    it('a lost connection is told, and told to be over', async () => {
      const { page, context } = await dashboard({ path: '/workflows', as: { account: 'looked-at' } });
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      await context.setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await make('looked-at', 'Made meanwhile');
      await context.setOffline(false);
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Made meanwhile' }).waitFor();
    });
  });
});
