import { type BrowserContext, type Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/in-browser.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { PASSWORD, signedInByPassword } from '../../support/worlds/people.js';
import { look } from '../looks.js';
import { axe } from '../support/axe.js';
import { type Dashboard, usePages } from '../support/dashboard.js';

describeInBrowser('passkeys', () => {
  const pages = usePages();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  /** Gives the page a device that verifies its person and responds without a touch. */
  async function device({ context, page }: Dashboard): Promise<void> {
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  async function add(page: Page, name: string, password = PASSWORD): Promise<void> {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
  }

  const list = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  /** Without cookies the browser has signed out, as far as the service knows. */
  async function signedOut(page: Page, context: BrowserContext): Promise<void> {
    await context.clearCookies();
    await page.goto('/sign-in?to=%2Fsettings%2Fprofile');
  }

  it('are added with a name, sign in, and are deleted', async () => {
    const dashboard = await pages.open(server, { path: '/settings/profile' });
    const { page, context } = dashboard;
    await device(dashboard);
    // A browser without suggestions: the virtual device would choose one before the button is pressed.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
    await page.getByText('You have no passkey yet.').waitFor();
    await add(page, 'Work laptop', 'not my password');
    await page.getByText('Is not your password.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Current password', { exact: true }).last().fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Passkey “Work laptop” added.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await list(page).innerText()).toMatch(/^Work laptop\s+Added just now, never used\s+Delete$/);
    await look(page, 'dark', 390);
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

    await add(page, 'Second');
    await page.getByText('This device already has a passkey for your user.').waitFor();
    await page.keyboard.press('Escape');

    await signedOut(page, context);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/settings/profile');
    await list(page).getByText('last used just now').waitFor();

    await page.getByRole('button', { name: 'Delete Work laptop' }).click();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete passkey' }).click();
    await page.getByText('You have no passkey yet.').waitFor();
    await signedOut(page, context);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey does not sign you in here.').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(dashboard.complaints.splice(0).every((line) => /401|422/.test(line))).toBe(true);
  });

  it('are offered at the email field, without a click', async () => {
    const { email } = await signedInByPassword(server);
    const dashboard = await pages.open(server, { path: '/settings/profile', as: { email } });
    const { page, context } = dashboard;
    await device(dashboard);
    await add(page, 'Phone');
    await page.getByText('Passkey “Phone” added.').waitFor();
    await signedOut(page, context);
    // The virtual device chooses its only passkey from the browser's suggestions.
    await page.waitForURL('**/settings/profile');
  });

  it('leave the page as it is when the person cancels', async () => {
    const dashboard = await pages.open(server, { path: '/sign-in', as: false });
    const { page } = dashboard;
    await page.addInitScript(() => {
      const canceled = new DOMException('canceled', 'NotAllowedError');
      navigator.credentials.get = () => Promise.reject(canceled);
    });
    await page.reload();
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.click();
    await page.locator('button:not([data-loading])', { hasText: 'Sign in with a passkey' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await look(page, 'light', 390);
    expect(await axe(page)).toEqual([]);
  });

  it('are not offered by a browser that has none', async () => {
    const { page } = await pages.open(server, { path: '/sign-in', as: false });
    await page.addInitScript(() => delete (window as { PublicKeyCredential?: unknown }).PublicKeyCredential);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('passkey').count()).toBe(0);
  });
});
