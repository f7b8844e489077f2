import { type Page } from 'playwright-core';
import { OAuthProvider } from '../support/worlds/oauth-provider.js';
import { atHome, mailedInvitation, makeUser, PASSWORD, signedIn, type Who } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { axe } from './support/axe.js';
import { usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

const CLIENT = { client_id: 'gateway', client_secret: 'secret of the gateway' };

describeInBrowser('the pages for who is not signed in', () => {
  let provider: OAuthProvider;
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    provider = await OAuthProvider.start();
    const env = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_NAME: 'Example ID',
      RATE_LIMITS: 'on',
    };
    server = await startTestServer({ env });
    provider.register([{ ...CLIENT, redirect_uris: [`${server.baseUrl}/auth/oidc/callback`] }]);
  });
  afterAll(async () => {
    await server.close();
    await provider.stop();
  });

  /** A page of a person who is not signed in here; at the provider the person is `user`. */
  async function visit(path: string, { user = 'nobody', ...more }: Visit = {}): Promise<Page> {
    const opened = await pages.open(server, { path: '/pages/icon.svg', as: false, ...more });
    await opened.context.setExtraHTTPHeaders({ 'x-user': user, 'x-decision': more.decision ?? 'grant' });
    // It may lead elsewhere at once, which would interrupt a wait for its end.
    await opened.page.goto(path, { waitUntil: 'commit' });
    return opened.page;
  }

  interface Visit {
    user?: string;
    decision?: string;
    width?: number;
    colorScheme?: 'light' | 'dark';
  }

  /** Invites a person. @returns the path of the link. */
  async function invite(email: string, by: Who = { email: 'admin@people.example' }): Promise<string> {
    const { client } = await signedIn(server, by);
    const { body } = await client.graphql('mutation ($email: String!) { inviteUser(email: $email) { url } }', {
      email,
    });
    return new URL(body.data.inviteUser.url as string).pathname;
  }

  const alert = (page: Page) => page.getByRole('alert').innerText();
  const shell = (page: Page) => page.getByRole('navigation', { name: 'Main' }).waitFor();

  // First: it needs a service without users.
  it('the set-up link makes the first user and signs them in, once', async () => {
    const link = new URL((await server.newSetUpLink())!).pathname;
    const page = await visit('/workflows');
    await page.getByText('This service has no users yet').waitFor();
    await page.getByText(/^Create the first one with the set-up link/).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByLabel('Name').fill('<b>Ada</b>');
    await page.getByLabel('Email').fill('first@people.example');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.keyboard.press('Enter');
    const password = page.getByLabel('Password', { exact: true });
    await page.getByText('Must have at least 10 characters.').waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await axe(page)).toEqual([]);
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await shell(page);
    await page.getByRole('button', { name: '<b>Ada</b>' }).waitFor();
    const again = await visit(link);
    await again.getByRole('heading', { name: 'This service is set up already' }).waitFor();
    await again.getByRole('link', { name: 'To the sign-in page' }).click();
    await again.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('an invitation lets its person choose name and password, and works once', async () => {
    const link = await invite('grace@people.example');
    const page = await visit(link);
    await page.getByRole('heading', { name: 'Join default' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('grace@people.example');
    expect(await page.getByLabel('Email').isEditable()).toBe(false);
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join and sign in' }).click();
    await shell(page);
    const again = await visit(link);
    await again.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    await again.getByText('It was used or revoked, or is older than 7 days.').waitFor();
    await again.getByRole('link', { name: 'To the sign-in page' }).click();
    await again.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('an invitation that cannot be checked can be tried again; one that was used in between says so', async () => {
    const email = 'patient@people.example';
    const link = await invite(email);
    const page = await visit('/sign-in');
    await page.route('**/auth/invitations/*', (route) => route.abort(), { times: 1 });
    await page.goto(link);
    await page.getByRole('heading', { name: 'That did not work' }).waitFor();
    await page.getByText('The service could not be reached.').waitFor();
    expect(pages.opened.at(-1)!.complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Name').fill('Patient');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const body = { name: 'Hasty', password: PASSWORD };
    expect((await atHome(server).send('POST', `/auth${link}`, { body })).status).toBe(200);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    pages.opened.at(-1)!.complaints.splice(0);
  });

  it('the sign-in page shows nothing before it knows the ways in, so that nothing moves', async () => {
    const page = await visit('/pages/icon.svg');
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/auth/options', async (route) => {
      await asked;
      return route.continue();
    });
    await Promise.all([page.waitForResponse('**/auth/get-session'), page.goto('/sign-in')]);
    expect(await page.getByLabel('Email').count()).toBe(0);
    answer();
    await page.getByRole('link', { name: 'Continue with Example ID' }).waitFor();
    expect(await page.getByLabel('Email').evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('a provider signs a user in, who comes back to the page that they wanted', async () => {
    await makeUser(server, { email: 'known@provider.test', name: 'Known' });
    const page = await visit('/workflows?status=draft', { user: 'known' });
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/workflows?status=draft');
  });

  it('who came by a provider alone sets a first password by a mailed link', async () => {
    const email = 'sole@provider.test';
    await invite(email);
    const page = await visit('/settings/profile', { user: 'sole' });
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    await page.getByRole('button', { name: 'Join default' }).click();
    await page.getByText('You sign in with Example ID, and have no password here.').waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByText('The link is in the log').waitFor();
    expect(await axe(page)).toEqual([]);
    const mails = `SELECT text FROM mails WHERE recipients = ARRAY[$1] AND text LIKE '%/reset-password/%'`;
    await until(async () => (await server.db.query(mails, [email])).length === 1);
    const [mail] = await server.db.query<{ text: string }>(mails, [email]);
    await page.goto(/\/reset-password\/\S+/.exec(mail!.text)![0]);
    await page.getByRole('textbox', { name: 'New password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await shell(page);
    await page.goto('/settings/profile');
    await page.getByLabel('Current password').waitFor();
  });

  it('an invited person chooses the account, told what follows, after a sign-in at a provider', async () => {
    const email = 'wanted@provider.test';
    const long = `A company with a very long name, ${'LtdHoldingInternational'.repeat(4)}`;
    const shown = await invite(email, { email: 'mallory@people.example', account: 'evil' });
    const body = { name: 'Squatter', password: PASSWORD };
    expect((await atHome(server).send('POST', `/auth${shown}`, { body })).status).toBe(200);
    await invite(email, { email: 'ada@people.example', account: long });
    const page = await visit('/workflows', { user: 'wanted', width: 390 });
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
    await page.getByText(email).waitFor();
    await page.getByText('A user with your address exists.').waitFor();
    await page.getByText('A user with your address in “evil” never proved it.').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: `Join ${long}` }).click();
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    const again = await visit('/choose-account');
    await again.getByRole('heading', { name: 'No account to choose' }).waitFor();
    pages.opened.at(-1)!.complaints.splice(0);
  });

  it('the mailed link of an invitation names the user of another account that ends', async () => {
    const email = 'mailed@people.example';
    const shown = await invite(email, { email: 'mallory@people.example', account: 'evil' });
    const body = { name: 'Squatter', password: PASSWORD };
    expect((await atHome(server).send('POST', `/auth${shown}`, { body })).status).toBe(200);
    await invite(email);
    const page = await visit(`/invitations/${await mailedInvitation(server, email)}`);
    await page.getByRole('heading', { name: 'Join default' }).waitFor();
    await page.getByText('A user with your address in “evil” never proved it.').waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('who signs in in another tab sees nothing of who was here', async () => {
    const opened = await pages.open(server, { path: '/workflows', as: { name: 'Ada', account: 'one' } });
    await opened.page.getByRole('button', { name: /^Ada/ }).waitFor();
    const email = await makeUser(server, { name: 'Grace', account: 'two' });
    await opened.context.request.post('/auth/sign-in/email', {
      data: { email, password: PASSWORD },
      headers: { origin: server.baseUrl },
    });
    await opened.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await opened.page.getByRole('button', { name: /^Grace/ }).waitFor();
    expect(await opened.page.getByText('two', { exact: true }).count()).toBe(1);
  });

  it.each([
    ['without an invitation', 'stranger', 'grant', /^You have no invitation yet\./],
    ['whose address is not verified', 'unverified', 'grant', /has not verified your email address/],
    ['who said no', 'known', 'deny', /^You denied access at the provider\./],
  ])('shows the provider’s answer to a person %s', async (_, user, decision, sentence) => {
    const page = await visit('/sign-in', { user, decision });
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    await page.waitForURL('**/sign-in?error=*');
    expect(await alert(page)).toMatch(sentence);
    expect(await axe(page)).toEqual([]);
  });

  it('shows no word of the address as it is', async () => {
    const page = await visit(`/sign-in?error=${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    expect(await alert(page)).toBe('The sign-in at the provider did not work. Try again.');
  });

  it('says that there were too many tries, the right password too', async () => {
    const email = await makeUser(server);
    const page = await visit('/sign-in');
    // From the network of the browser, which may be another than that of this process.
    await page.evaluate(
      async (guess) => {
        const headers = { 'content-type': 'application/json' };
        for (let tries = 0; tries < 10; tries += 1) {
          await fetch('/auth/sign-in/email', { method: 'POST', headers, body: JSON.stringify(guess) });
        }
      },
      { email, password: 'not the password' },
    );
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    expect(await alert(page)).toBe('Too many attempts. Wait a moment, then try again.');
  });

  it('the sign-in page goes on with who is signed in already', async () => {
    const opened = await pages.open(server, { path: '/sign-in?to=%2Fworkflows', as: {} });
    await opened.page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
  });

  it.each(['light', 'dark'] as const)('fits a phone, and hides nothing from readers, %s', async (colorScheme) => {
    const page = await visit('/sign-in', { width: 390, colorScheme });
    await page.getByRole('link', { name: 'Continue with Example ID' }).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});
