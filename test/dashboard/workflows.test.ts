import { type Browser, type Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server.js';
import { PASSWORD, makeUser, type SignedIn, signedIn } from '../support/worlds/people.js';
import { look } from './looks.js';
import { axe } from './support/axe.js';
import { cookiesOf, type Dashboard, launchBrowser, openDashboard } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

describeInBrowser('the dashboard in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  /** One for all tests: opening a page again costs more than using it. */
  let dashboard: Dashboard;
  let page: Page;
  const people = new Map<string, Promise<SignedIn>>();

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
    dashboard = await openDashboard(browser, server, { path: '/sign-in', as: false });
    page = dashboard.page;
  });
  afterEach(async () => {
    await page.unrouteAll();
    expect(dashboard.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** A signed-in person of an account. */
  function personOf(account: string): Promise<SignedIn> {
    const known = people.get(account) ?? signedIn(server, { account });
    people.set(account, known);
    return known;
  }

  /** Opens a URL as a person of an account; without an account, signed out. */
  async function visit(path: string, account?: string): Promise<void> {
    // The old page would redirect once it finds that its session is gone.
    await page.goto('about:blank');
    await dashboard.context.clearCookies();
    if (account !== undefined) {
      await dashboard.context.addCookies(cookiesOf((await personOf(account)).cookie, server.baseUrl));
    }
    // So does the one that comes, without a session: at once.
    await page.goto(path, { waitUntil: 'commit' });
  }

  /** Fills the form of the sign-in page and sends it. */
  async function signIn(email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
  }

  /** Makes workflows in an account of its own. */
  async function make(account: string, ...names: string[]): Promise<void> {
    const { client } = await personOf(account);
    for (const name of names) {
      await client.graphql('mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }', {
        input: { name },
      });
    }
  }

  describe('signing in', () => {
    it('leads back to the page that one wanted', async () => {
      const email = await makeUser(server);
      await visit('/workflows?status=draft');
      await page.waitForURL('**/sign-in?to=*');
      await signIn(email, PASSWORD);
      await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
      expect(new URL(page.url()).search).toBe('?status=draft');
    });

    it('leads nowhere else', async () => {
      const email = await makeUser(server);
      for (const to of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
        await visit(`/sign-in?to=${encodeURIComponent(to)}`);
        await signIn(email, PASSWORD);
        await page.getByRole('navigation', { name: 'Main' }).waitFor();
        expect([to, new URL(page.url()).origin]).toEqual([to, server.baseUrl]);
      }
    });

    it('tells what was wrong, beside the form', async () => {
      await visit('/sign-in');
      await signIn(await makeUser(server), 'not the password');
      expect(await page.getByRole('alert').innerText()).toBe('The email address or the password is wrong.');
      expect(await axe(page)).toEqual([]);
    });

    it('is asked for again where the session has ended', async () => {
      await visit('/workflows', 'ended');
      await page.getByText('Create your first workflow').waitFor();
      await dashboard.context.clearCookies();
      await page.getByLabel('Search workflows').fill('invoices');
      await page.waitForURL('**/sign-in?to=%2Fworkflows%3Fsearch%3Dinvoices');
    });

    it('is asked for in another tab where something is unsaved, which stays', async () => {
      await visit('/workflows', 'ended');
      await page.getByRole('button', { name: 'New workflow' }).first().click();
      const name = page.getByLabel('Name');
      await name.fill('Invoices');
      await dashboard.context.clearCookies();
      await page.getByRole('button', { name: 'Create workflow' }).click();
      const over = page.getByRole('dialog', { name: 'You are signed out' });
      await over.waitFor();
      expect(await axe(page)).toEqual([]);
      await page.keyboard.press('Escape');
      const opens = page.waitForEvent('popup');
      await over.getByRole('link', { name: 'Sign in in a new tab' }).click();
      const tab = await opens;
      await tab.getByLabel('Email').fill((await personOf('ended')).email);
      await tab.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await tab.keyboard.press('Enter');
      await tab.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await tab.close();
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await over.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Create workflow' }).click();
      await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
    });
  });

  describe('the list of workflows', () => {
    it('says how to begin, and goes to what is made', async () => {
      await visit('/workflows', 'beginners');
      await page.getByText('Create your first workflow').waitFor();
      await page.getByRole('button', { name: 'New workflow' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'New workflow' });
      await dialog.getByLabel('Name').fill('Welcome <b>new</b> customers');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/workflows\/wf_\w+$/);
      await page.goto('/workflows');
      expect(await page.getByRole('row').nth(1).innerText()).toMatch(
        /^Welcome <b>new<\/b> customers\s+Draft\s+—\s+—\s+—\s+0\s*$/,
      );
    });

    it('tells at the field what is wrong with it, and moves there', async () => {
      await visit('/workflows', 'mistaken');
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

    it('keeps what is typed in a dialog when one clicks beside it', async () => {
      await visit('/workflows', 'beside');
      await page.getByRole('button', { name: 'New workflow' }).first().click();
      await page.getByLabel('Name').fill('Invoices');
      await page.mouse.click(5, 5);
      await page.getByRole('button', { name: 'Create workflow' }).click();
      await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
    });

    it('is filtered by status and text, which the address keeps', async () => {
      await make('searchers', 'Sync invoices', 'Nightly report');
      await visit('/workflows', 'searchers');
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('REPORT');
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('row').count()).toBe(2);
      // A part of the text may already have shown the same rows.
      await page.waitForURL('**/workflows?search=REPORT');
      await page.goto('/workflows?search=REPORT&status=active');
      await page.getByText('No workflow matches').waitFor();
      await page.getByRole('link', { name: 'Show all workflows' }).click();
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      expect(await page.getByLabel('Search workflows').inputValue()).toBe('');
    });

    it('has pages, which the address keeps', async () => {
      await make('many', ...Array.from({ length: 3 }, (_, index) => `Workflow ${index + 1}`));
      await visit('/workflows?per_page=2', 'many');
      await page.getByText('1–2 of 3').waitFor();
      await page.getByRole('button', { name: 'Page 2' }).click();
      await page.getByText('3–3 of 3').waitFor();
      await page.goBack();
      await page.getByText('1–2 of 3').waitFor();
      await page.goto('/workflows?page=9');
      await page.getByText('There is nothing on page 9.').waitFor();
    });

    it('has a page size to choose, which the address keeps', async () => {
      await make('long', ...Array.from({ length: 21 }, (_, index) => `Workflow ${index + 1}`));
      await visit('/workflows?page=2', 'long');
      await page.getByText('21–21 of 21').waitFor();
      await page.getByRole('combobox', { name: 'Page size of Workflows' }).click();
      await page.getByRole('option', { name: '50 per page' }).click();
      await page.getByText('1–21 of 21').waitFor();
      expect(new URL(page.url()).search).toBe('?per_page=50');
      await page.reload();
      await page.getByText('1–21 of 21').waitFor();
      await page.getByRole('combobox', { name: 'Page size of Workflows' }).click();
      await page.getByRole('option', { name: '20 per page' }).click();
      await page.getByText('1–20 of 21').waitFor();
      expect(new URL(page.url()).search).toBe('');
    });

    it('says in a sentence that the service fails, and comes when it is asked again', async () => {
      await visit('/workflows', 'unlucky');
      await page.getByText('Create your first workflow').waitFor();
      await page.route('**/graphql', (route) => route.abort());
      await page.getByLabel('Search workflows').fill('x');
      await page.goto('about:blank');
      // The lines of the browser for requests that were sent before it left.
      dashboard.complaints.splice(0);
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
      await page.getByText('Create your first workflow').waitFor();
    });
  });

  describe('for everybody', () => {
    beforeAll(() => make('looked-at', 'Sync invoices', 'x'.repeat(255)));

    it('axe finds nothing in light and dark, wide and narrow, and nothing is wider than the window', async () => {
      await visit('/workflows', 'looked-at');
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      for (const [colorScheme, width] of [
        ['dark', 1440],
        ['light', 390],
      ] as const) {
        await look(page, colorScheme, width);
        expect(await axe(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    });

    it('names are whole on a tablet', async () => {
      await visit('/workflows', 'looked-at');
      await look(page, 'light', 900);
      const name = page.getByRole('link', { name: 'Sync invoices' });
      await name.waitFor();
      expect(await name.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
    });

    it('the navigation is a drawer on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 900 });
      await visit('/workflows', 'looked-at');
      await page.getByRole('button', { name: 'Open navigation' }).click();
      const drawer = page.getByRole('dialog', { name: 'Navigation' });
      await drawer.getByRole('link', { name: 'Workflows' }).waitFor();
      expect(await axe(page)).toEqual([]);
      await drawer.getByRole('link', { name: 'Workflows' }).click();
      await drawer.waitFor({ state: 'hidden' });
      await page.setViewportSize({ width: 1280, height: 900 });
    });

    it('light or dark is chosen once, and there before the first paint', async () => {
      await visit('/workflows', 'looked-at');
      await page.getByRole('button', { name: 'Ada' }).click();
      await page.getByRole('radio', { name: 'Dark' }).check();
      await page.reload({ waitUntil: 'commit' });
      const scheme = await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme);
      expect(await scheme.jsonValue()).toBe('dark');
      await page.evaluate(() => localStorage.clear());
    });

    it('the first key leads past the navigation, and a navigation to the heading', async () => {
      await visit('/workflows', 'looked-at');
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      await page.keyboard.press('Tab');
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      expect(await focused()).toBe('Skip to content');
      await page.getByRole('link', { name: 'Sync invoices' }).click();
      await page.waitForFunction(() => document.querySelector('h1:focus')?.textContent === 'Sync invoices');
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('h1:focus')?.textContent === 'Workflows');
    });

    it('a page whose code could not be loaded appears once the connection is back', async () => {
      await visit('/workflows', 'cut off');
      await page.getByText('Create your first workflow').waitFor();
      await dashboard.context.setOffline(true);
      await page.getByRole('link', { name: 'Developers' }).click();
      await page.getByText('This page could not be loaded').waitFor();
      await dashboard.context.setOffline(false);
      await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
      dashboard.complaints.splice(0);
    });

    it('shows a lost connection, and that it is back', async () => {
      await visit('/workflows', 'looked-at');
      await page.getByRole('link', { name: 'Sync invoices' }).waitFor();
      await dashboard.context.setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await make('looked-at', 'Made meanwhile');
      await dashboard.context.setOffline(false);
      await page.getByText('You are offline.').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Made meanwhile' }).waitFor();
    });
  });
});
