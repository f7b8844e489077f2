import { execFile } from 'node:child_process';
import { type Page } from 'playwright-core';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { packageRoot } from '../../src/platform/package-root.js';
import { signedIn } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { Account } from './support/account.js';
import { axe } from './support/axe.js';
import { buildDocs, buildGraphiql } from './support/build.js';
import { type OpenOptions, usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

const run = promisify(execFile);

describeInBrowser('the developers’ pages', () => {
  let server: TestServer;
  const pages = usePages();
  let account: Account;
  let env: Record<string, string | undefined>;
  let hook: string;
  let integrationId: string;

  beforeAll(async () => {
    [server] = await Promise.all([startTestServer(), buildGraphiql(), buildDocs()]);
    account = new Account((await signedIn(server, { account: 'developers' })).client);
    const workflow = await account.workflow('Sync invoices');
    hook = (await account.trigger(workflow)).hook;
    integrationId = await account.connectSandbox('Sandbox');
    env = { ...process.env, KEY: await server.key('read-only', 'developers') };
  });
  afterAll(() => server.close());

  async function show(path: string, options: OpenOptions = {}): Promise<Page> {
    const opened = await pages.open(server, {
      as: { account: 'developers', name: 'Ada <i>' },
      path,
      ...options,
    });
    return opened.page;
  }

  /** The code that stands there once a way is chosen. */
  async function snippet(page: Page, task: string, way: string): Promise<string> {
    const section = page.getByRole('region', { name: task, exact: true });
    await section.getByText(way, { exact: true }).click();
    return section.getByRole('region', { name: `${task} with ${way}`, exact: true }).innerText();
  }

  describe('/developers', () => {
    it.each([
      ['curl', (out: any) => out.data],
      ['curl, GraphQL', (out: any) => out.data.workflows.items],
    ])('lists workflows with %s, as it stands', async (way, itemsOf) => {
      const page = await show('/developers');
      const { stdout } = await run('bash', ['-c', await snippet(page, 'List workflows', way)], { env });
      expect(itemsOf(JSON.parse(stdout)).map(({ name }: { name: string }) => name)).toEqual(['Sync invoices']);
    });

    it.each([
      ['List workflows', 'fetch', /name: 'Sync invoices'/],
      ['Wait for a connection', 'fetch', /^connected \n$/],
      ['Wait for a connection', 'graphql-ws', /^CONNECTED connected\n$/],
    ])('has code for “%s” with %s that runs as it stands', async (task, way, expected) => {
      const page = await show('/developers');
      await page.getByText(integrationId).first().waitFor();
      const code = await snippet(page, task, way);
      const args = ['--input-type=module', '--eval', code];
      const { stdout } = await run(process.execPath, args, { env, cwd: packageRoot });
      expect(stdout).toMatch(expected);
    });

    it('awaits a connection with a held curl, as it stands', async () => {
      const page = await show('/developers');
      await page.getByText(integrationId).first().waitFor();
      const { stdout } = await run('bash', ['-c', await snippet(page, 'Wait for a connection', 'curl')], { env });
      expect(JSON.parse(stdout)).toMatchObject({ id: integrationId, status: 'connected' });
    });

    it('has a check of webhooks that takes what is genuine, and nothing else', async () => {
      const page = await show('/developers');
      const code = await snippet(page, 'Verify a webhook', 'node:crypto');
      const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
      const [body, now] = ['{"type":"run.failed"}', new Date()];
      const headers = {
        'webhook-id': 'dlv_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('dlv_1', now, body)}`,
      };
      const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 900) };
      const cases = [
        [body, headers],
        [`${body} `, headers],
        [body, old],
        [body, { ...headers, 'webhook-signature': 'v1,AAAA' }],
        [body, {}],
      ];
      const calls = `for (const [body, headers] of ${JSON.stringify(cases)})
        console.log(isGenuine(Buffer.from(body), headers, '${secret}'));`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', `${code}\n${calls}`]);
      expect(stdout.trim().split('\n')).toEqual(['true', 'false', 'false', 'false', 'false']);
    });

    it('leads to keys, tools, and names each address', async () => {
      const page = await show('/developers');
      expect(await page.getByRole('link', { name: 'Create an API key' }).getAttribute('href')).toBe(
        '/settings/api-keys',
      );
      for (const path of ['/graphql', '/graphql/stream', '/v1', '/openapi.json', '/schema.graphql'])
        expect(await page.getByText(server.baseUrl + path, { exact: true }).count()).toBe(1);
      await page.getByText(server.ws(), { exact: true }).waitFor();
      await page.getByRole('link', { name: /^REST reference/ }).click();
      await page.waitForURL('**/docs');
    });

    it.each([
      ['light', 1440],
      ['dark', 390],
    ] as const)('axe finds nothing in %s at %i px, and nothing is wider', async (colorScheme, width) => {
      const page = await show('/developers', { colorScheme, width });
      await page.getByText(integrationId).first().waitFor();
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
  });

  describe('the documentation', () => {
    it('is one click from the home page, and leads from page to page', async () => {
      const page = await show('/');
      await page.getByRole('link', { name: 'Documentation' }).click();
      await page.getByRole('heading', { name: 'Reference', level: 1 }).waitFor();
      await page.getByRole('cell', { name: 'Limits' }).getByRole('link').click();
      await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Subscriptions' }).first().click();
      await page.waitForURL('**/docs/limits#subscriptions');
    });

    it.each([
      ['light', 1440, 'webhooks'],
      ['dark', 1440, 'reasons'],
      ['light', 390, 'limits'],
      ['dark', 390, 'catalog'],
    ] as const)('axe finds nothing in %s at %i px on %s, and nothing is wider', async (colorScheme, width, name) => {
      const page = await show(`/docs/${name}`, { colorScheme, width });
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
  });

  describe('GraphiQL', () => {
    /** Runs one of the operations that the editor opens with. */
    async function execute(page: Page, operation: string): Promise<void> {
      // It is a menu once the editor has read the operations.
      await page
        .locator('button[aria-haspopup=menu]')
        .and(page.getByRole('button', { name: /Execute/ }))
        .click();
      await page.getByRole('menuitem', { name: operation, exact: true }).click();
    }
    const answer = (page: Page, text: string | RegExp) => page.locator('.graphiql-response').getByText(text).first();

    it('asks as who is signed in, without a key, and says as whom', async () => {
      const page = await show('/graphiql');
      await page.getByText('Signed in as Ada <i>').waitFor();
      await execute(page, 'Workflows');
      await answer(page, /Sync\sinvoices/).waitFor();
      // Introspection: the editor knows the schema.
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await page.getByRole('link', { name: 'Subscription', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.waitForURL('**/developers');
    });

    it('subscribes as who is signed in', async () => {
      const page = await show('/graphiql');
      await execute(page, 'Runs');
      // Until the subscription stands, runs pass unheard.
      const heard = () => answer(page, /SUCCEEDED/).waitFor({ timeout: 2_000 });
      for (let isHeard = false; !isHeard;) {
        await account.fire(hook);
        isHeard = await heard().then(
          () => true,
          () => false,
        );
      }
    });

    it('without a session says how to begin, and takes a key', async () => {
      const page = await show('/graphiql', { as: false });
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      await page.getByText('Bearer wfk_...').last().click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(`{"Authorization":"Bearer ${env.KEY}"}`);
      await page.getByText('Using the API key under “Headers”').waitFor();
      await execute(page, 'Workflows');
      await answer(page, /Sync\sinvoices/).waitFor();
    });
  });

  describe('the REST reference', () => {
    it('makes calls as who is signed in', async () => {
      const page = await show('/docs');
      await page.getByText('Signed in as Ada <i>: calls use your session').waitFor();
      await page.locator('#operations-workflows-ListWorkflows, .opblock-get').first().click();
      await page.getByRole('button', { name: 'Execute' }).first().click();
      await page.locator('.live-responses-table').getByText('Sync invoices').first().waitFor();
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.waitForURL('**/developers');
    });

    it('makes calls with a key', async () => {
      const page = await show('/docs', { as: false });
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByRole('dialog').or(page.locator('.modal-ux')).getByRole('textbox').first().fill(env.KEY!);
      await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).first().click();
      await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();
      await page.locator('.opblock-get').first().click();
      await page.getByRole('button', { name: 'Execute' }).first().click();
      await page.locator('.live-responses-table').getByText('Sync invoices').first().waitFor();
    });
  });
});
