import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Page } from 'playwright-core';
import { atHome, makeUser, PASSWORD } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { axe } from './support/axe.js';
import { type Dashboard, type OpenOptions, usePages } from './support/dashboard.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

const FRESH = 'another horse battery';

describeInBrowser('the doors of the dashboard', () => {
  let server: TestServer;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function dashboard(path: string, options: OpenOptions = {}): Promise<Dashboard> {
    return pages.open(server, { as: false, path, ...options });
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const fits = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

  /** Axe, light and dark, on a phone too. */
  async function lookAt(page: Page): Promise<void> {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect([await axe(page), await fits(page)]).toEqual([[], true]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  const ask = (email: string) => atHome(server).send('POST', '/auth/request-password-reset', { body: { email } });
  const linksTo = async (email: string): Promise<string[]> => {
    const mails = await server.db.query<{ text: string }>(
      `SELECT text FROM mails WHERE recipients = ARRAY[$1] AND subject = 'Set a new password' ORDER BY id`,
      [email],
    );
    return mails.map(({ text }) => /http\S+\/reset-password\/\S+/.exec(text)![0]);
  };
  async function linkFor(email: string): Promise<string> {
    const before = (await linksTo(email)).length;
    await ask(email);
    await until(async () => (await linksTo(email)).length > before);
    return (await linksTo(email)).at(-1)!;
  }

  describe('a lost password', () => {
    it('is replaced, from the sign-in page to being signed in', async () => {
      const email = await makeUser(server);
      const { page } = await dashboard('/sign-in');
      await page.getByLabel('Email').fill(email);
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      await heading(page, 'Forgot your password?');
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
      await lookAt(page);
      await page.keyboard.press('Enter');
      // Without SMTP_URL.
      await heading(page, 'The link is in the log');
      await page.getByText(`npm run --silent users -- reset ${email}`).waitFor();
      await lookAt(page);
      await until(async () => (await linksTo(email)).length === 1);
      const [link] = await linksTo(email);
      await page.goto(link!);
      await heading(page, 'Choose a new password');
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
      await lookAt(page);
      await page.getByRole('textbox', { name: 'New password' }).fill('short');
      await page.keyboard.press('Enter');
      await page.getByText('Must have at least 10 characters.').waitFor();
      await page.getByRole('textbox', { name: 'New password' }).fill(FRESH);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${server.baseUrl}/`);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.goto(link!);
      await heading(page, 'This link no longer works');
      await lookAt(page);
      await page.getByRole('link', { name: 'Get a new link' }).click();
      await heading(page, 'Forgot your password?');
    });

    it('says the same for an unknown address, and what is wrong with a malformed one', async () => {
      const { page } = await dashboard('/forgot-password');
      await page.getByLabel('Email').fill('nobody');
      await page.keyboard.press('Enter');
      await page.getByText('Must be an email address.').waitFor();
      await page.getByLabel('Email').fill('nobody@people.example');
      await page.keyboard.press('Enter');
      await heading(page, 'The link is in the log');
      expect(await page.getByRole('heading', { level: 1 }).evaluate((h1) => h1 === document.activeElement)).toBe(true);
      await page.getByRole('button', { name: 'Use another address' }).click();
      await heading(page, 'Forgot your password?');
    });

    it('says that a link is void which was replaced while its page was open', async () => {
      const email = await makeUser(server);
      const { page } = await dashboard(new URL(await linkFor(email)).pathname);
      await heading(page, 'Choose a new password');
      await linkFor(email);
      await page.getByRole('textbox', { name: 'New password' }).fill(FRESH);
      await page.keyboard.press('Enter');
      await heading(page, 'This link no longer works');
      const signIn = { email, password: PASSWORD };
      expect((await atHome(server).send('POST', '/auth/sign-in/email', { body: signIn })).status).toBe(200);
    });
  });

  describe('another address than BASE_URL', () => {
    /** The same service under the number of this machine. */
    const byNumber = (of: TestServer) => of.ws('').replace('ws://localhost', 'http://127.0.0.1');

    it('leads to the same page at BASE_URL, signed in or not', async () => {
      const { page } = await dashboard('/', { as: {} });
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.goto(`${byNumber(server)}/workflows?search=orders#x`);
      await page.waitForURL(`${server.baseUrl}/workflows?search=orders#x`);
      await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
      const stranger = await dashboard('/sign-in');
      await stranger.page.goto(`${byNumber(server)}/set-up/token`);
      await stranger.page.waitForURL(`${server.baseUrl}/set-up/token`);
      await heading(stranger.page, 'This service is set up already');
    });

    it('says what to do when BASE_URL does not answer', async () => {
      const astray = await startTestServer({ database: server.database, env: { BASE_URL: 'http://localhost:9' } });
      const { page, complaints } = await dashboard('/sign-in');
      await page.goto(`${byNumber(astray)}/workflows`);
      await heading(page, 'This is not the service’s own URL');
      await page.getByText('that one does not answer from here').waitFor();
      await page.getByText(`BASE_URL=${byNumber(astray)} npm start`).waitFor();
      await lookAt(page);
      // The browser logs the unanswered request.
      expect(complaints.splice(0).filter((text) => !/ERR_(CONNECTION_REFUSED|UNSAFE_PORT)/.test(text))).toEqual([]);
      await astray.close();
    });

    it('goes there once, and says so where that leads back to here', async () => {
      let visits = 0;
      const mirror: Server = createServer((request, response) => {
        visits += request.url === '/workflows' ? 1 : 0;
        response.writeHead(302, { location: `${byNumber(astray)}${request.url}` }).end();
      }).listen(0);
      const { port } = mirror.address() as AddressInfo;
      const astray = await startTestServer({
        database: server.database,
        env: { BASE_URL: `http://localhost:${port}` },
      });
      const { page } = await dashboard('/sign-in');
      await page.goto(`${byNumber(astray)}/workflows`);
      await page.getByText('that one leads back to here').waitFor();
      expect(visits).toBe(1);
      await astray.close();
      await new Promise((resolve) => mirror.close(resolve));
    });
  });
});
