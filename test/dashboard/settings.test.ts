import { type Page } from 'playwright-core';
import { Client } from '../support/http/client.js';
import { atHome, makeUser, PASSWORD } from '../support/worlds/people.js';
import { noteSecret } from '../support/database/secrets.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { axe } from './support/axe.js';
import { type Dashboard, type OpenOptions, usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { inShell } from './support/shell.js';

const XSS = '<img src=x onerror=alert(1)>';

describeInBrowser('the account settings', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function dashboard(options: OpenOptions): Promise<Dashboard> {
    return pages.open(server, options);
  }

  /** The text that is shown once in the dialog, which Escape does not close, and which is gone afterwards. */
  async function takeSecret(page: Page, what: string, done = 'Done, I saved it'): Promise<string> {
    const shown = page.getByRole('region', { name: what });
    await shown.waitFor();
    const secret = await shown.innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: done }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    return secret;
  }

  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const signIn = (page: Page) => page.waitForURL('**/sign-in*', { waitUntil: 'commit' });

  describe('API keys', () => {
    const statusOf = async (key: string): Promise<number> =>
      (await new Client(server.baseUrl, key).rest('GET', '/workflows')).status;
    const rows = async (page: Page): Promise<string[]> =>
      (await page.getByRole('row').allInnerTexts()).slice(1).map((text) => text.replace(/\s+/g, ' '));

    async function act(page: Page, row: number, action: string): Promise<void> {
      await page
        .getByRole('row')
        .nth(row)
        .getByRole('button', { name: /^Actions/ })
        .click();
      await page.getByRole('menuitem', { name: action }).click();
    }

    it('a key is made, works, is rotated beside the old one, and revoked', async () => {
      const { page, context } = await dashboard({ as: { account: 'keys' } });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByText('Create your first API key').waitFor();
      await page.getByRole('button', { name: 'New API key' }).first().click();
      await page.getByRole('textbox', { name: 'Label' }).fill(XSS);
      await page.getByText('secrets of webhook triggers').waitFor();
      await page.getByRole('radio', { name: 'Read-write' }).check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').locator(':focus').getByText('Copy it now').waitFor();
      const line = await page.getByRole('region', { name: 'curl line' }).innerText();
      expect(await axe(page)).toEqual([]);
      await page.getByRole('button', { name: 'Copy API key' }).click();
      // Told to screen readers, whom the icon tells nothing.
      await page.locator('[aria-live=polite]').getByText('Copied').waitFor({ state: 'attached' });
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const first = noteSecret(await takeSecret(page, 'API key'));
      expect(copied).toBe(first);
      expect(JSON.parse(await inShell(line))).toMatchObject({ data: [] });
      expect(line).toContain(first);
      expect(await statusOf(first)).toBe(200);
      expect((await rows(page))[0]).toContain(`${XSS} wfk_…${first.slice(-4)} Read-write Active`);

      await act(page, 1, 'Rotate');
      expect(await page.getByRole('radio', { name: 'One day' }).isChecked()).toBe(true);
      expect(await axe(page)).toEqual([]);
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByText(/^The old key \(wfk_….{4}\) works until /).waitFor();
      const second = await takeSecret(page, 'API key');
      expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
      await page.getByText('Expiring').waitFor();
      expect((await rows(page)).map((row) => /Active|Expiring/.exec(row)![0])).toEqual(['Active', 'Expiring']);

      await act(page, 2, 'Revoke');
      await page.getByText('its open connections close at once').waitFor();
      expect(await axe(page)).toEqual([]);
      await confirm(page, 'Revoke key');
      await page.getByText('Revoked', { exact: true }).waitFor();
      expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
      expect(await page.getByRole('row').nth(2).getByRole('button').count()).toBe(0);
    });

    it('a form stays open until its refusal has arrived', async () => {
      const { page } = await dashboard({ path: '/settings/api-keys', as: { account: 'hasty' } });
      const { promise: closed, resolve: close } = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()!.includes('CreateApiKey')) return route.continue();
        await closed;
        const errors = [{ message: 'There are too many keys.', extensions: { code: 'CONFLICT' } }];
        return route.fulfill({ json: { data: null, errors } });
      });
      await page.getByRole('button', { name: 'New API key' }).first().click();
      await page.getByRole('textbox', { name: 'Label' }).fill('Reports');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      close();
      await page.getByRole('dialog').getByText('There are too many keys.').waitFor();
    });

    it('a read-only key with an end; what lacks is said at its field', async () => {
      const { page } = await dashboard({ path: '/settings/api-keys', as: { account: 'readers' } });
      await page.getByRole('button', { name: 'New API key' }).first().click();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Must not be empty.').waitFor();
      await page.getByRole('textbox', { name: 'Label' }).fill('Reports');
      await page.getByRole('combobox', { name: 'Expires' }).click();
      await page.getByRole('option', { name: 'After a day' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Choose a day.').waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByLabel('Last day').fill('2040-02-29');
      await page.getByRole('button', { name: 'Create key' }).click();
      const key = await takeSecret(page, 'API key');
      const denied = await new Client(server.baseUrl, key).rest('POST', '/workflows', { body: { name: 'x' } });
      expect(denied.status).toBe(403);
      expect((await rows(page))[0]).toMatch(/Read-only Active just now Never Feb 29, 2040/);
    });
  });

  describe('users', () => {
    it('who is invited joins by the link, and is out at once when removed', async () => {
      const { page } = await dashboard({ path: '/settings/users', as: { account: 'team', name: 'Ada' } });
      await page.getByText('1–1 of 1').waitFor();
      const last = page.getByRole('button', { name: /^The last user cannot be removed/ });
      expect(await last.getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('button', { name: 'Invite user' }).click();
      await page.getByLabel('Email').fill('nobody');
      await page.keyboard.press('Enter');
      await page.getByText('Must be an email address.').waitFor();
      await page.getByLabel('Email').fill('Eve@people.example');
      await page.keyboard.press('Enter');
      await page.getByText('This service sends no emails: send the link yourself.').waitFor();
      const link = await takeSecret(page, 'invitation link', 'Done');
      await page.getByRole('cell', { name: 'eve@people.example', exact: true }).waitFor();
      await page.getByText('Open invitations').waitFor();
      // The mail has another link, which the inviter does not see.
      expect(await server.db.query(`SELECT 1 FROM mails WHERE recipients = '{eve@people.example}'`)).toHaveLength(1);
      expect(await server.db.query(`SELECT 1 FROM mails WHERE strpos(text, $1) > 0`, [link])).toEqual([]);

      const { page: other } = await dashboard({ path: new URL(link).pathname, as: false });
      await other.getByLabel('Name').fill(XSS);
      await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await other.keyboard.press('Enter');
      await other.getByRole('navigation', { name: 'Main' }).waitFor();
      await other.goto('/workflows');
      await other.getByText('Create your first workflow').waitFor();

      await page.reload();
      await page.getByRole('button', { name: `Remove ${XSS}` }).click();
      await page.getByText('eve@people.example is signed out everywhere at once').waitFor();
      expect(await axe(page)).toEqual([]);
      await confirm(page, 'Remove user');
      await other.waitForURL('**/sign-in?to=%2Fworkflows', { waitUntil: 'commit' });
      await page.getByText('1–1 of 1').waitFor();
    });

    it('an invitation is revoked', async () => {
      const { page } = await dashboard({ path: '/settings/users', as: { account: 'revokers' } });
      await page.getByRole('button', { name: 'Invite user' }).click();
      await page.getByLabel('Email').fill('late@people.example');
      await page.keyboard.press('Enter');
      const link = await takeSecret(page, 'invitation link', 'Done');
      await page.getByRole('button', { name: /^Revoke the invitation of late/ }).click();
      await confirm(page, 'Revoke invitation');
      await page.getByText('Open invitations').waitFor({ state: 'detached' });
      expect((await atHome(server).send('GET', `/auth${new URL(link).pathname}`)).status).toBe(404);
    });

    it('who removes themselves is signed out', async () => {
      await makeUser(server, { account: 'leavers', name: 'Grace' });
      const { page } = await dashboard({ path: '/settings/users', as: { account: 'leavers', name: 'Ada' } });
      await page.getByRole('button', { name: 'Remove Ada' }).click();
      await confirm(page, 'Remove me and sign out');
      await signIn(page);
    });
  });

  describe('the profile', () => {
    it('shows a new name everywhere at once', async () => {
      const { page } = await dashboard({ path: '/settings/profile', as: { account: 'named' } });
      await page.getByLabel('Name', { exact: true }).fill(XSS);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: XSS }).waitFor();
    });

    it('a changed password ends the other sessions, and this page goes on', async () => {
      const email = 'changer@people.example';
      const { page } = await dashboard({ path: '/settings/profile', as: { email, account: 'changers' } });
      const { page: other } = await dashboard({ path: '/workflows', as: { email } });
      await other.getByText('Create your first workflow').waitFor();
      await page.getByLabel('Current password').fill('not my password');
      await page.getByLabel('New password').fill('a wholly new one');
      await page.keyboard.press('Enter');
      await page.getByText('Is not your password.').waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await other.waitForURL('**/sign-in?to=%2Fworkflows', { waitUntil: 'commit' });
      await page.getByText('All other sessions have ended.').waitFor();
      expect(await page.getByLabel('Current password').inputValue()).toBe('');
      // The socket was of the ended session: it is back with the new one, and tells what happens.
      await page.getByText('The connection was lost.').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Users' }).click();
      await page.getByRole('row', { name: email }).waitFor();
      const answer = await atHome(server).send('POST', '/auth/sign-in/email', {
        body: { email, password: 'a wholly new one' },
      });
      expect(answer.status).toBe(200);
    });

    it('lists the sessions, and signs another browser out', async () => {
      const email = 'browsers@people.example';
      const { page: other } = await dashboard({ path: '/workflows', as: { email, account: 'browsers' } });
      await other.getByText('Create your first workflow').waitFor();
      const { page } = await dashboard({ path: '/settings/profile', as: { email } });
      const sessions = page.getByRole('list', { name: 'Sessions' });
      await sessions.getByText('This browser, signed in').waitFor();
      expect(await sessions.getByRole('listitem').count()).toBe(2);
      expect(await axe(page)).toEqual([]);
      await sessions.getByRole('button', { name: /^Sign out/ }).click();
      await page.getByText(/ is signed out\./).waitFor();
      await signIn(other);
      await until(async () => (await sessions.getByRole('listitem').count()) === 1);
      await sessions.getByText('This browser').waitFor();
    });

    it('signing out everywhere ends this session and the others', async () => {
      const email = 'everywhere@people.example';
      const { page } = await dashboard({ path: '/settings/profile', as: { email, account: 'everywhere' } });
      const { page: other } = await dashboard({ path: '/workflows', as: { email } });
      await other.getByText('Create your first workflow').waitFor();
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByText('All your sessions end at once').waitFor();
      expect(await axe(page)).toEqual([]);
      await confirm(page, 'Sign out everywhere');
      await Promise.all([signIn(page), signIn(other)]);
    });
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('hide nothing from readers, and fit: %s, %i wide', async (colorScheme, width) => {
    const { page } = await dashboard({ as: { account: 'keys' }, colorScheme, width });
    for (const path of ['profile', 'users', 'api-keys']) {
      await page.goto(`/settings/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
});
