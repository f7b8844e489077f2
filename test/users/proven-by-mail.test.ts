import { startTestServer, type TestServer } from '../support/server.js';
import { atHome, cookieOf, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { until } from '../support/until.js';
import { signInWith, startPasskey } from './passkeys/passkey-people.js';
import { SoftPasskey } from './passkeys/soft-passkey.js';

describe('a reset link that was mailed to an address nobody had proven', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  async function mailedLink(email: string): Promise<string> {
    await atHome(server).send('POST', '/auth/request-password-reset', { body: { email } });
    let token: string | undefined;
    await until(async () => {
      const mails = await server.db.query<{ text: string }>(`SELECT text FROM mails WHERE recipients = ARRAY[$1]`, [
        email,
      ]);
      token = mails.map(({ text }) => /\/reset-password\/([\w-]{43})/.exec(text)?.[1]).find(Boolean);
      return token !== undefined;
    });
    return token!;
  }

  it('leaves the earlier holder no session, password or passkey', async () => {
    const email = 'ada@proven.example';
    const inviter = await signedInByPassword(server, { account: 'proven' });
    const invite = 'mutation ($email: String!) { inviteUser(email: $email) { url } }';
    const { url } = (await inviter.client.graphql(invite, { email })).body.data.inviteUser;
    // The holder of the link that the inviter passes on, who need not be the owner of the address.
    const joined = await atHome(server).send('POST', `/auth${new URL(url as string).pathname}`, {
      body: { name: 'Eve', password: PASSWORD },
    });
    const holder = atHome(server, cookieOf(joined.headers));
    const passkey = new SoftPasskey(server.baseUrl);
    const response = passkey.create(await startPasskey(holder));
    await holder.send('POST', '/auth/passkeys', { body: { name: 'mine', response } });
    expect((await signInWith(server, passkey)).status).toBe(200);

    const path = `/auth/reset-password/${await mailedLink(email)}`;
    expect((await atHome(server).send('POST', path, { body: { password: 'one of the owner' } })).status).toBe(200);
    expect((await signInWith(server, passkey)).status).toBe(401);
    expect((await holder.graphql('{ viewer { user { email } } }')).status).toBe(401);
    const signIn = (password: string) =>
      atHome(server).send('POST', '/auth/sign-in/email', { body: { email, password } });
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn('one of the owner')).status).toBe(200);
  });
});
