import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.js';
import { type SignedIn, signedIn, type Who } from '../../support/worlds/people.js';
import { buildDashboard } from './build.js';
import { launchChromium } from '../../support/browser/chromium-of-run.js';
import { watch } from './watch.js';

/** How a page is opened. */
export interface OpenOptions {
  /** Where to begin; `/` unless told. */
  path?: string;
  /** The signed-in person; `false` for none. */
  as?: Who | false;
  colorScheme?: 'light' | 'dark';
  width?: number;
}

/** A page of the dashboard in a real browser. */
export interface Dashboard {
  page: Page;
  context: BrowserContext;
  /** Of who is signed in. */
  email: string | undefined;
  /** Closes it. @throws Error for whatever the page complained of: the console, failed scripts, the policy. */
  close(): Promise<void>;
  /** What it complained of so far; a test that brings a complaint about takes it from here. */
  complaints: string[];
}

/** The browser of a test file, with the dashboard built; to be called in `beforeAll`. */
export async function launchBrowser(): Promise<Browser> {
  await buildDashboard();
  return launchChromium();
}

/** The pages of a test file whose tests open their own. */
export interface Pages {
  /** Those of this test, the newest last. */
  readonly opened: readonly Dashboard[];
  open(server: TestServer, options?: OpenOptions): Promise<Dashboard>;
}

/** A browser for a test file; each page closes after its test, which fails by what the page complained of. */
export function usePages(): Pages {
  let browser: Browser;
  let open: Dashboard[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    const opened = open;
    open = [];
    for (const dashboard of opened) await dashboard.close();
  });
  afterAll(() => browser.close());
  return {
    get opened() {
      return open;
    },
    open: async (server, options) => {
      const opened = await openDashboard(browser, server, options);
      open.push(opened);
      return opened;
    },
  };
}

/** A page that all tests of a file share: to open one again costs more than to use it. Set from `beforeAll` on. */
export interface SharedPage {
  readonly server: TestServer;
  readonly person: SignedIn;
  readonly page: Page;
}

/** A signed-in person's page at a path, for a test file; a test fails by what the page complained of. */
export function useSharedPage(path: string, options: TestServerOptions = {}): SharedPage {
  const shared = {} as SharedPage;
  let browser: Browser;
  let dashboard: Dashboard;
  beforeAll(async () => {
    const [server, launched] = await Promise.all([startTestServer(options), launchBrowser()]);
    browser = launched;
    const person = await signedIn(server);
    dashboard = await openDashboard(browser, server, { path, as: person });
    Object.assign(shared, { server, person, page: dashboard.page });
  });
  afterEach(async () => {
    await shared.page.unrouteAll();
    expect(dashboard.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await shared.server.close();
  });
  return shared;
}

/** A page in a context of its own, signed in by cookie, that fails its test when it complains. */
export async function openDashboard(
  browser: Browser,
  server: TestServer,
  { path = '/', as = {}, colorScheme = 'light', width = 1280 }: OpenOptions = {},
): Promise<Dashboard> {
  const context = await browser.newContext({
    baseURL: server.baseUrl,
    colorScheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  const person = as === false ? undefined : await signedIn(server, as);
  if (person !== undefined) await context.addCookies(cookiesOf(person.cookie, server.baseUrl));
  // Before jest gives up, so that the failure names what was waited for.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints = await watch(page);
  // Without a session the page may leave for another at once, which would interrupt a wait for its end.
  await page.goto(path, { waitUntil: as === false ? 'commit' : 'load' });
  const close = async (): Promise<void> => {
    await context.close();
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`);
  };
  return { page, context, email: person?.email, close, complaints };
}

/** The cookies of a request's header, as a browser takes them. */
export function cookiesOf(header: string, url: string): { name: string; value: string; url: string }[] {
  return header.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}
