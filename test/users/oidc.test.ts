import { type Browser } from '../support/browser/browser.js';
import { OAuthProvider } from '../support/worlds/oauth-provider.js';
import { travelTo } from './oidc-sign-in.js';
import { makeUser, type SignedIn, signedIn } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { StillClock } from '../support/clock.js';

const CLIENT = { client_id: 'gateway', client_secret: 'secret of the gateway: 1+1=2' };

const issuerEnv = () => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_NAME: 'Example ID',
});

let provider: OAuthProvider;
let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  provider = await OAuthProvider.start();
  server = await startTestServer({
    env: issuerEnv(),
  });
  provider.register([{ ...CLIENT, redirect_uris: [`${server.baseUrl}/auth/oidc/callback`] }]);
  admin = await signedIn(server, { email: 'admin@people.example' });
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

const start = (path = '') => `${server.baseUrl}/auth/oidc/start${path}`;
const travel = (browser: Browser, path = '') => travelTo(server, browser, path);

async function sessionOf(browser: Browser): Promise<{ user: { email: string; name: string } } | null> {
  return (await browser.visit(`${server.baseUrl}/auth/get-session`)).json() as ReturnType<typeof sessionOf>;
}

describe('sign-in by OIDC', () => {
  it('is offered by its name', async () => {
    expect((await admin.client.send('GET', '/auth/options')).body).toEqual({
      set_up: false,
      oidc: [{ id: 'oidc', name: 'Example ID' }],
      mail: false,
      passkeys: true,
    });
  });

  it('signs a user in by the verified address, then by the subject, and returns to the previous page', async () => {
    await makeUser(server, { email: 'grace@provider.test', name: 'Grace' });
    for (const browser of [provider.browserOf('grace'), provider.browserOf('grace')]) {
      expect(await travel(browser, '?return_to=/workflows?page=2')).toBe('/workflows?page=2');
      expect((await sessionOf(browser))!.user).toMatchObject({ email: 'grace@provider.test', name: 'Grace' });
    }
    const [row] = await server.db.query('SELECT count(*) AS total FROM user_credentials WHERE provider = $1', [
      provider.issuer,
    ]);
    expect(row).toEqual({ total: 1 });
  });

  it.each([
    ['nobody has invited', 'stranger', 'not_invited'],
    ['the issuer has not verified the address of', 'unverified', 'email_not_verified'],
  ])('refuses whom %s', async (_, user, error) => {
    if (user === 'unverified') await makeUser(server, { email: 'unverified@provider.test' });
    const browser = provider.browserOf(user);
    expect(await travel(browser)).toBe(`/sign-in?error=${error}`);
    expect(await sessionOf(browser)).toBeNull();
  });

  it('takes no address for another that only looks like it in lower case', async () => {
    await makeUser(server, { email: 'kelvin@provider.test' });
    expect('\u212aelvin'.toLowerCase()).toBe('kelvin');
    const browser = provider.browserOf(encodeURIComponent('\u212aelvin'));
    expect(await travel(browser)).toBe('/sign-in?error=not_invited');
    expect(await sessionOf(browser)).toBeNull();
  });

  it('says that the person refused', async () => {
    const browser = provider.browserOf('grace', 'deny');
    expect(await travel(browser)).toBe('/sign-in?error=access_denied');
    expect(await sessionOf(browser)).toBeNull();
  });

  it('takes the way back only in the browser that went there, once, and in time', async () => {
    const browser = provider.browserOf('grace');
    const back = await browser.leave((await browser.visit(start())).headers.get('location')!);
    const stranger = provider.browserOf('grace');
    expect((await stranger.visit(back)).headers.get('location')).toBe('/sign-in?error=expired');
    // An authorization request of its own does not make it the other browser's.
    await stranger.visit(start());
    expect((await stranger.visit(back)).headers.get('location')).toBe('/sign-in?error=sign_in_failed');
    expect((await browser.visit(back)).headers.get('location')).toBe('/');
    expect((await browser.visit(back)).headers.get('location')).toBe('/sign-in?error=expired');

    const slow = provider.browserOf('grace');
    const late = await slow.leave((await slow.visit(start())).headers.get('location')!);
    await server.advance(600_000);
    expect((await slow.visit(late)).headers.get('location')).toBe('/sign-in?error=expired');
  });
});

describe('the way back from the issuer', () => {
  it('asks the issuer of no more codes that are none than of passwords', async () => {
    const limited = await startTestServer({ env: { ...issuerEnv(), RATE_LIMITS: 'on' }, clock: new StillClock() });
    const there = await fetch(`${limited.baseUrl}/auth/oidc/start`, { redirect: 'manual' });
    const cookie = there.headers.getSetCookie()[0]!.split(';', 1)[0]!;
    const state = new URL(there.headers.get('location')!).searchParams.get('state')!;
    const query = new URLSearchParams({ code: 'made up', state, iss: provider.issuer });
    const callback = `${limited.baseUrl}/auth/oidc/callback?${query.toString()}`;
    const before = provider.at('/token').length;
    const outcomes: (string | null)[] = [];
    while (outcomes.at(-1) !== '/sign-in?error=rate_limited' && outcomes.length < 60) {
      const { headers } = await fetch(callback, { redirect: 'manual', headers: { cookie } });
      outcomes.push(headers.get('location'));
    }
    await limited.close();
    expect([outcomes[0], outcomes.at(-1)]).toEqual(['/sign-in?error=sign_in_failed', '/sign-in?error=rate_limited']);
    expect(provider.at('/token')).toHaveLength(before + outcomes.length - 1);
  });
});

describe('return_to of a sign-in by OIDC', () => {
  beforeAll(() => makeUser(server, { email: 'traveller@provider.test' }));

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/x/%2e%2e//evil.example',
    '/.\\/evil.example',
  ])('sends nobody on to another site: %j', async (path) => {
    const browser = provider.browserOf('traveller');
    const location = await travel(browser, `?return_to=${encodeURIComponent(path)}`);
    expect(new URL(location, server.baseUrl).origin).toBe(server.baseUrl);
    expect(location).not.toMatch(/^([/\\]{2}|\/sign-in)/);
  });
});
