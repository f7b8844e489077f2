import { type Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../support/server.js';
import { axe } from './support/axe.js';
import { clientOf, connectApps, connectKey, connectOAuth } from './support/connect-world.js';
import { type OpenOptions, usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

const LOOKS = [
  ['light', 1440],
  ['dark', 390],
] as const;

describeInBrowser('connections in the dashboard', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer({ apps: connectApps });
  });
  afterAll(() => server.close());

  async function dashboard(account: string, path: string, options: OpenOptions = {}) {
    const opened = await pages.open(server, { as: { account }, path, ...options });
    return opened.page;
  }
  async function graphql<T>(account: string, query: string, variables: Record<string, unknown>): Promise<T> {
    const client = await clientOf(server, account);
    const { body } = await client.graphql<T>(query, variables);
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    return body.data;
  }
  /** A workflow whose one action calls a connection. */
  async function dependOn(account: string, integrationId: string, name: string): Promise<void> {
    const made = await graphql<{ createWorkflow: { id: string } }>(
      account,
      'mutation ($name: String!) { createWorkflow(input: { name: $name, status: ACTIVE }) { id } }',
      { name },
    );
    const config = { integration_id: integrationId, method: 'GET', path: '/me' };
    await graphql(
      account,
      'mutation ($id: ID!, $actions: [ActionInput!]!) { setWorkflowActions(workflowId: $id, actions: $actions) { id } }',
      { id: made.createWorkflow.id, actions: [{ name: 'call', kind: 'APP_REQUEST', config }] },
    );
  }
  /** Connects for an end user of the account. @returns the integration's id. */
  async function connectFor(account: string, reference: string): Promise<string> {
    const { connectIntegration } = await graphql<{ connectIntegration: { id: string } }>(
      account,
      `
        mutation ($reference: String!) {
          connectIntegration(
            input: { type: "sandbox_api_key", reference: $reference, credentials: { api_key: "sandbox_valid_key" } }
          ) {
            ... on Integration {
              id
            }
          }
        }
      `,
      { reference },
    );
    return connectIntegration.id;
  }
  const disconnect = (account: string, id: string) =>
    graphql(account, 'mutation ($id: ID!) { disconnectIntegration(id: $id) { id } }', { id });
  const menu = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const fits = async (page: Page, width: number) =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

  describe('the list', () => {
    it('is filtered by status, text and need, and updates live', async () => {
      const account = 'listed';
      const billing = await connectKey(server, account, 'Billing');
      await connectOAuth(server, account, 'Support inbox');
      await dependOn(account, billing, 'Nightly report');
      const page = await dashboard(account, '/integrations');
      await page.getByRole('row', { name: /Billing.*Connected.*1 workflow/ }).waitFor();
      await page.getByLabel('Search connections').fill('lovelace');
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('link', { name: /Support inbox/ }).waitFor();
      await page.goto('/integrations?status=disconnected');
      await page.getByText('No connection matches').waitFor();
      await disconnect(account, billing);
      await page.getByRole('row', { name: /Billing.*Disconnected by a user/ }).waitFor();
      await page.goto('/integrations?status=disconnected&needs_attention=true');
      await page.getByText('No connection matches').waitFor();
      expect(await page.getByRole('button', { name: 'Needs attention' }).getAttribute('aria-pressed')).toBe('true');
      await page.goto('/integrations?needs_attention=true');
      await page.getByText('Nothing needs attention').waitFor();
    });

    it('folds away what never connected, with a button that deletes it', async () => {
      const account = 'attempted';
      await connectOAuth(server, account, 'First try', 'deny');
      const page = await dashboard(account, '/integrations');
      await page.getByText('1 attempt that did not connect').waitFor();
      await page.getByText('Connect your first application').waitFor();
      await connectOAuth(server, account, 'Second try', 'deny');
      await connectKey(server, account, 'Billing');
      await page.getByText('2 attempts that did not connect').waitFor();
      await page.getByText('1–1 of 1').waitFor();
      expect(await page.getByRole('row', { name: /try/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('row', { name: /First try.*Access denied/ }).waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
      await page.getByText('that did not connect').waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /Billing.*Connected/ }).waitFor();
    });

    it.each(LOOKS)('is for everybody, in %s at %i px', async (colorScheme, width) => {
      await connectKey(server, 'everybody', 'x'.repeat(255));
      const page = await dashboard('everybody', '/integrations', { colorScheme, width });
      await page.getByRole('row', { name: /xxx/ }).first().waitFor();
      expect(await axe(page)).toEqual([]);
      await fits(page, width);
      await page.goto('/integrations?search=nothing%20like%20it');
      await page.getByText('No connection matches').waitFor();
      expect(await axe(page)).toEqual([]);
    });
  });

  describe('the catalog', () => {
    it.each(LOOKS)(
      'finds an application and says which can be connected, in %s at %i px',
      async (colorScheme, width) => {
        const page = await dashboard('choosers', '/integrations/new', { colorScheme, width });
        const ready = page.getByRole('region', { name: 'Ready to connect' });
        await ready.getByRole('link', { name: /^Stripe/ }).waitFor();
        await page
          .getByRole('region', { name: 'Needs a client id' })
          .getByRole('link', { name: /^Slack/ })
          .waitFor();
        expect(await axe(page)).toEqual([]);
        await fits(page, width);
        await page.getByLabel('Search applications').fill('sandbox');
        await page.getByText('2 applications').waitFor();
        expect(await page.getByRole('listitem').filter({ hasText: 'Sandbox' }).count()).toBe(2);
        await page.getByLabel('Search applications').fill('no such application');
        await page.getByText('No application matches').waitFor();
        expect(await axe(page)).toEqual([]);
      },
    );

    it('says that there is no such application', async () => {
      const page = await dashboard('choosers', '/integrations/new/nonsense');
      await page.getByText('The URL names no application that can be connected. It may be mistyped.').waitFor();
    });
  });

  describe('one connection', () => {
    it.each(LOOKS)('tells all that is known of it, in %s at %i px', async (colorScheme, width) => {
      const account = `told-${width}`;
      const id = await connectOAuth(server, account, 'Support <b>inbox</b>');
      await dependOn(account, id, 'Welcome new customers');
      const page = await dashboard(account, `/integrations/${id}`, { colorScheme, width });
      await page.getByRole('heading', { name: 'Support <b>inbox</b>' }).waitFor();
      await page.getByText('Ada Lovelace').waitFor();
      await page.getByRole('link', { name: 'Welcome new customers' }).waitFor();
      await page.getByRole('button', { name: 'Show the secret' }).click();
      expect(await page.getByRole('region', { name: 'Signing secret' }).innerText()).toMatch(/^[\w-]{43}$/);
      const address = await page.getByRole('region', { name: 'Event URL' }).innerText();
      expect(address.startsWith(`${server.baseUrl}/events/`)).toBe(true);
      expect(await page.getByRole('row').filter({ hasText: 'Waiting for access' }).count()).toBe(1);
      expect(await axe(page)).toEqual([]);
      await fits(page, width);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
      expect(await axe(page)).toEqual([]);
    });

    it('says whether it works, when it is asked', async () => {
      const id = await connectKey(server, 'testers');
      const page = await dashboard('testers', `/integrations/${id}`);
      await page.getByRole('button', { name: 'Test' }).click();
      await page.getByText('Connection works: Sandbox (API key) accepted the credentials.').waitFor();
    });

    it('says who depends on it before it is disconnected, and in another tab that it was', async () => {
      const account = 'leavers';
      const id = await connectKey(server, account);
      await dependOn(account, id, 'Sync invoices');
      const page = await dashboard(account, `/integrations/${id}`);
      const other = await page.context().newPage();
      await other.goto(`/integrations/${id}`);
      await other.getByRole('heading', { name: 'Billing' }).waitFor();
      await menu(page, 'Disconnect');
      const dialog = page.getByRole('dialog', { name: 'Disconnect Billing?' });
      await dialog.getByText('1 workflow depends on it').waitFor();
      await dialog.getByText('Sync invoices').waitFor();
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      for (const tab of [page, other]) {
        await tab.getByText('Ada disconnected it, and its credentials were deleted.').waitFor();
        await tab.getByRole('row', { name: /^Disconnected by Ada/ }).waitFor();
      }
      expect(await axe(page)).toEqual([]);
    });

    it('is renamed', async () => {
      const id = await connectKey(server, 'renamers', 'Old name');
      const page = await dashboard('renamers', `/integrations/${id}`);
      await menu(page, 'Rename');
      await page.getByRole('textbox', { name: 'Name' }).fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Name' }).fill('New <b>name</b>');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: 'New <b>name</b>' }).waitFor();
      await page.goto('/integrations');
      await page.getByRole('row', { name: /New <b>name<\/b>/ }).waitFor();
    });

    it('is deleted by its name where workflows depend on it, and gone in the other tab too', async () => {
      const account = 'deleters';
      const id = await connectKey(server, account);
      await dependOn(account, id, 'Sync invoices');
      const page = await dashboard(account, `/integrations/${id}`, { colorScheme: 'dark' });
      const other = await page.context().newPage();
      await other.goto(`/integrations/${id}`);
      await other.getByRole('heading', { name: 'Billing' }).waitFor();
      await menu(page, 'Delete');
      const dialog = page.getByRole('dialog', { name: 'Delete Billing?' });
      await dialog.getByRole('textbox').waitFor();
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('textbox').fill('Billing');
      await page.keyboard.press('Enter');
      await page.getByText('Connect your first application').waitFor();
      await other.getByText('This connection was deleted').waitFor();
      expect(await axe(other)).toEqual([]);
    });

    it('does not claim that a connection with a reference is unused, and is deleted by its name', async () => {
      const account = 'referrers';
      const id = await connectFor(account, 'u-1');
      await connectFor(account, 'u-2');
      const page = await dashboard(account, '/integrations');
      await page.getByRole('row', { name: /sandbox_api_key · u-2.*No workflow names it/ }).waitFor();
      await page.getByRole('link', { name: /sandbox_api_key · u-1/ }).click();
      const unnamed = /^No workflow names this connection\. Workflows may still use it by its type and reference\./;
      await page.getByText(unnamed).waitFor();
      expect(await page.getByText('Not used yet').count()).toBe(0);
      await menu(page, 'Delete');
      const dialog = page.getByRole('dialog', { name: 'Delete sandbox_api_key?' });
      await dialog.getByText(unnamed).waitFor();
      expect(await axe(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dependOn(account, id, 'Sync invoices');
      await page.reload();
      await page.getByText(/^Workflows may still use it by its type and reference\./).waitFor();
      await menu(page, 'Delete');
      await dialog.getByText('1 workflow depends on it').waitFor();
      await dialog.getByText(/^Workflows may still use it by its type and reference\./).waitFor();
      await page.goto('/integrations');
      await page.getByRole('link', { name: /sandbox_api_key · u-2/ }).click();
      await menu(page, 'Delete');
      await dialog.getByLabel('Type “sandbox_api_key” to confirm').fill('sandbox_api_key');
      await page.keyboard.press('Enter');
      await page.getByText('1–1 of 1').waitFor();
    });

    it('says that there is no such connection', async () => {
      const page = await dashboard('testers', '/integrations/int_nonsense');
      await page.getByText('It may have been deleted, or the URL is mistyped.').waitFor();
      expect(await axe(page)).toEqual([]);
    });
  });
});
