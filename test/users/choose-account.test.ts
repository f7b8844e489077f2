import { PasswordResetService } from '../../src/features/users/password-reset.service.js';
import { type Browser } from '../support/browser/browser.js';
import { OAuthProvider } from '../support/worlds/oauth-provider.js';
import {
  atHome,
  cookieOf,
  mailedInvitation,
  makeUser,
  PASSWORD,
  type SignedIn,
  signedIn,
} from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { choose, offerTo, signedInAs, travelTo } from './oidc-sign-in.js';
import { openPersonSocket } from './person-socket.js';

const CLIENT = { client_id: 'gateway', client_secret: 'secret of the gateway: 1+1=2' };
const INVITE = 'mutation ($email: String!) { inviteUser(email: $email) { id url } }';

let provider: OAuthProvider;
let server: TestServer;
/** A user of the account `corp`, and one of `evil`. */
let ada: SignedIn, mallory: SignedIn;

beforeAll(async () => {
  provider = await OAuthProvider.start();
  const env = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.client_id,
    OIDC_CLIENT_SECRET: CLIENT.client_secret,
  };
  server = await startTestServer({ env });
  provider.register([{ ...CLIENT, redirect_uris: [`${server.baseUrl}/auth/oidc/callback`] }]);
  ada = await signedIn(server, { account: 'corp' });
  mallory = await signedIn(server, { account: 'evil' });
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

async function invite(by: SignedIn, email: string): Promise<{ id: string; token: string }> {
  const { body } = await by.client.graphql(INVITE, { email });
  const { id, url } = body.data.inviteUser;
  return { id, token: url.split('/').at(-1) };
}

const accept = (token: string, name = 'Squatter') =>
  atHome(server).send('POST', `/auth/invitations/${token}`, { body: { name, password: PASSWORD } });
const look = (token: string) => atHome(server).send('GET', `/auth/invitations/${token}`);
const byPassword = (email: string) =>
  atHome(server).send('POST', '/auth/sign-in/email', { body: { email, password: PASSWORD } });
const viewer = (cookie: string) => atHome(server, cookie).graphql('{ viewer { account { name } } }');

async function isProven(email: string): Promise<boolean | undefined> {
  const [user] = await server.db.query('SELECT email_verified AS "isProven" FROM users WHERE email = $1', [email]);
  return user?.isProven as boolean | undefined;
}

/**
 * `evil` makes a user of another person's address, by the link that its inviter gets. @returns the session's cookie.
 */
async function squat(name: string): Promise<{ email: string; cookie: string }> {
  const email = `${name}@provider.test`;
  const { headers, status } = await accept((await invite(mallory, email)).token);
  expect(status).toBe(200);
  return { email, cookie: cookieOf(headers) };
}

/** A browser that comes back from the issuer to the choice of an account. */
async function arrive(name: string, path = ''): Promise<Browser> {
  const browser = provider.browserOf(name);
  expect(await travelTo(server, browser, path)).toBe('/choose-account');
  return browser;
}

describe('a sign-in by OIDC of an invited person', () => {
  it('joins no account before the person chooses, and then the chosen one', async () => {
    const email = 'victim@provider.test';
    const wanted = await invite(ada, email);
    const newer = await invite(mallory, email);
    const browser = await arrive('victim', '?return_to=/workflows?page=2');
    expect(await isProven(email)).toBeUndefined();
    expect(await (await browser.visit(`${server.baseUrl}/auth/get-session`)).json()).toBeNull();
    expect(await offerTo(server, browser)).toEqual({
      email,
      choices: [
        { id: newer.id, account: 'evil' },
        { id: wanted.id, account: 'corp' },
      ],
    });
    const answer = await choose(server, browser, wanted.id);
    expect([answer.status, await answer.json()]).toEqual([200, { return_to: '/workflows?page=2' }]);
    expect(await signedInAs(server, browser)).toEqual({ account: 'corp', email });
    expect(await isProven(email)).toBe(true);
    // The other invitation does not take the user away.
    expect((await accept(await mailedInvitation(server, email))).status).toBe(409);
    expect((await accept(newer.token)).status).toBe(409);
    const again = provider.browserOf('victim');
    expect(await travelTo(server, again)).toBe('/');
    expect(await signedInAs(server, again)).toEqual({ account: 'corp', email });
  });

  it('offers the choice to the browser that came back alone, once, for 10 minutes', async () => {
    const { id } = await invite(ada, 'slow@provider.test');
    await invite(mallory, 'slow@provider.test');
    const stranger = provider.browserOf('stranger');
    expect((await choose(server, stranger, id)).status).toBe(404);
    const browser = await arrive('slow');
    await server.advance(600_000);
    expect([(await choose(server, browser, id)).status, await isProven('slow@provider.test')]).toEqual([
      404,
      undefined,
    ]);
    const quick = await arrive('slow');
    expect((await choose(server, quick, id)).status).toBe(200);
    expect((await choose(server, quick, id)).status).toBe(404);
  });

  it('takes no invitation of another address, and none that was revoked in between', async () => {
    const { id } = await invite(ada, 'chooser@provider.test');
    const foreign = await invite(ada, 'neighbour@provider.test');
    const browser = await arrive('chooser');
    await ada.client.graphql('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id });
    for (const chosen of [foreign.id, id, 'nonsense', ''])
      expect([chosen, (await choose(server, browser, chosen)).status]).toEqual([chosen, 404]);
    expect(await (await browser.visit(`${server.baseUrl}/auth/get-session`)).json()).toBeNull();
  });
});

describe('the link that an inviter is shown', () => {
  it('proves no address: the mailed one does', async () => {
    const shown = await squat('proved');
    expect(await isProven(shown.email)).toBe(false);
    await invite(ada, 'mailed@provider.test');
    expect((await accept(await mailedInvitation(server, 'mailed@provider.test'))).status).toBe(200);
    expect(await isProven('mailed@provider.test')).toBe(true);
  });

  it('is void once the mailed one was used, and the other way round', async () => {
    for (const email of ['one@provider.test', 'two@provider.test']) {
      const { token } = await invite(ada, email);
      const mailed = await mailedInvitation(server, email);
      const [first, second] = email.startsWith('one') ? [token, mailed] : [mailed, token];
      expect((await look(first)).body).toEqual({ email, account: 'corp' });
      expect([(await accept(first)).status, (await accept(second)).status, (await look(second)).status]).toEqual([
        200, 404, 404,
      ]);
    }
  });

  it('leaves no password and no session to its user once the person links the issuer, by choice', async () => {
    const { email, cookie } = await squat('ceo');
    const socket = await openPersonSocket(server, { cookie, origin: server.baseUrl });
    expect((await viewer(cookie)).status).toBe(200);
    const browser = await arrive('ceo');
    const { choices } = await offerTo(server, browser);
    expect(choices).toEqual([{ id: expect.stringMatching(/^usr_/), account: 'evil' }]);
    // Nothing has changed before the choice.
    expect([(await viewer(cookie)).status, (await byPassword(email)).status]).toEqual([200, 200]);
    expect((await choose(server, browser, choices[0]!.id)).status).toBe(200);
    expect(await socket.ended).toBe(4403);
    expect([(await viewer(cookie)).status, (await byPassword(email)).status]).toEqual([401, 401]);
    expect(await signedInAs(server, browser)).toEqual({ account: 'evil', email });
    expect(await isProven(email)).toBe(true);
  });

  it.each(['at the issuer', 'by the mailed link'])(
    'lets the person choose another account, which removes the existing user, %s',
    async (way) => {
      const name = way === 'at the issuer' ? 'director' : 'founder';
      const { email, cookie } = await squat(name);
      const { id, token: shown } = await invite(ada, email);
      expect((await look(shown)).body).toEqual({ email, account: 'corp' });
      expect((await accept(shown)).status).toBe(409);
      expect((await viewer(cookie)).status).toBe(200);
      if (way === 'at the issuer') {
        const browser = await arrive(name);
        const { choices } = await offerTo(server, browser);
        expect(choices[1]).toEqual({ id, account: 'corp', replaces: 'evil' });
        expect((await choose(server, browser, id)).status).toBe(200);
        expect(await signedInAs(server, browser)).toEqual({ account: 'corp', email });
      } else {
        const mailed = await mailedInvitation(server, email);
        expect((await look(mailed)).body).toEqual({ email, account: 'corp', replaces: 'evil' });
        const { headers } = await accept(mailed);
        expect((await viewer(cookieOf(headers))).body.data.viewer.account.name).toBe('corp');
      }
      expect((await viewer(cookie)).status).toBe(401);
      expect(await isProven(email)).toBe(true);
    },
  );
});

describe('the mailed link for a new password', () => {
  it('proves the address; the operator’s does not', async () => {
    const { email } = await squat('resetter');
    const parts = { db: server.db, clock: server.clock, baseUrl: server.baseUrl };
    const link = await new PasswordResetService(parts as never).linkFor(email);
    const use = (token: string) =>
      atHome(server).send('POST', `/auth/reset-password/${token}`, { body: { password: PASSWORD } });
    expect([(await use(link.split('/').at(-1)!)).status, await isProven(email)]).toEqual([200, false]);

    const mails = `SELECT text FROM mails WHERE recipients = ARRAY[$1] AND text LIKE '%/reset-password/%'`;
    await atHome(server).send('POST', '/auth/request-password-reset', { body: { email } });
    await until(async () => (await server.db.query(mails, [email])).length === 1);
    const [mail] = await server.db.query<{ text: string }>(mails, [email]);
    expect(mail!.text).toContain('“evil”');
    const [, token] = /\/reset-password\/([\w-]{43})/.exec(mail!.text)!;
    expect((await atHome(server).send('GET', `/auth/reset-password/${token}`)).body).toEqual({
      email,
      account: 'evil',
    });
    expect([(await use(token!)).status, await isProven(email)]).toEqual([200, true]);
  });

  it('links a user with a proven address to the issuer without a choice', async () => {
    const email = await makeUser(server, { email: 'trusted@provider.test', account: 'corp' });
    const browser = provider.browserOf('trusted');
    expect(await travelTo(server, browser)).toBe('/');
    expect(await signedInAs(server, browser)).toEqual({ account: 'corp', email });
    expect((await byPassword(email)).status).toBe(200);
  });
});
