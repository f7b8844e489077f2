import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';
import { atHome, cookieOf, PASSWORD, signedIn, signedInByPassword } from '../../support/worlds/people.js';
import { type Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { SoftPasskey } from './soft-passkey.js';
import { finishSignIn, signInWith, startPasskey, startSignIn, withPasskey } from './passkey-people.js';

let server: TestServer;
let numbered: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  numbered = await startTestServer({ database: server.database, env: { BASE_URL: 'http://127.0.0.1:4999' } });
});
afterAll(async () => {
  await numbered.close();
  await server.close();
});

const listOf = async (client: Client) => (await client.send('GET', '/auth/passkeys')).body.passkeys as any[];
const meOf = async (client: Client) => (await client.send('GET', '/auth/get-session')).body?.user.email as string;
const add = (client: Client, response: unknown, name: unknown = 'Phone') =>
  client.send('POST', '/auth/passkeys', { body: { name, response } });

describe('a passkey', () => {
  it('signs its person in, and is listed with its times', async () => {
    const { client, email, passkey } = await withPasskey(server);
    expect(await listOf(client)).toEqual([
      { id: expect.stringMatching(/^pk_/), name: 'Laptop', created_at: expect.any(String), used_at: null },
    ]);
    const signedInBy = await signInWith(server, passkey);
    expect([signedInBy.status, await meOf(signedInBy.client)]).toEqual([200, email]);
    expect((await listOf(client))[0].used_at).toEqual(expect.any(String));
  });

  it('is announced by a mail to its user', async () => {
    const { email } = await withPasskey(server);
    const mails = await server.db.query(`SELECT subject, text FROM mails WHERE recipients = ARRAY[$1]`, [email]);
    expect(mails).toEqual([{ subject: 'A passkey was added', text: expect.stringContaining('“Laptop”') as string }]);
  });

  it('is requested for the host of BASE_URL, with a verified person, and not twice on a device', async () => {
    const { client, passkey, email } = await withPasskey(server);
    expect(await startPasskey(client)).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: email, displayName: 'Ada' },
      excludeCredentials: [{ id: passkey.id }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(await startSignIn(server)).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  });

  it('is added only with the password of its user', async () => {
    const { client } = await signedInByPassword(server);
    for (const body of [{}, { password: 'wrong password' }, { password: 7 }]) {
      const { status, body: answer } = await client.send('POST', '/auth/passkeys/start', { body });
      expect([status, answer.code, answer.details[0].field]).toEqual([400, 'validation_error', 'password']);
    }
    expect(await startPasskey(client)).toHaveProperty('challenge');
  });

  it('is added without a password by a user who has none, within an hour of the sign-in', async () => {
    const { client, email } = await signedIn(server);
    await server.db.query(`DELETE FROM user_credentials WHERE user_id = (SELECT id FROM users WHERE email = $1)`, [
      email,
    ]);
    const start = async () => (await client.send('POST', '/auth/passkeys/start', { body: {} })).body;
    expect(await start()).toHaveProperty('challenge');
    await server.advance(3_600_000);
    expect((await start()).code).toBe('forbidden');
  });

  it('has a name of at most 100 characters', async () => {
    const { client } = await signedInByPassword(server);
    const response = new SoftPasskey(server.baseUrl).create(await startPasskey(client));
    for (const name of ['', 'x'.repeat(101), 7, undefined, 'a\0b']) {
      expect((await add(client, response, name ?? null)).body.details[0].field).toBe('name');
    }
    expect((await add(client, response, 'x'.repeat(100))).status).toBe(200);
  });

  it('is one of at most twenty', async () => {
    const { client } = await withPasskey(server);
    const late = new SoftPasskey(server.baseUrl).create(await startPasskey(client));
    for (let count = 1; count < 20; count += 1) {
      await add(client, new SoftPasskey(server.baseUrl).create(await startPasskey(client)));
    }
    expect(await listOf(client)).toHaveLength(20);
    expect((await startPasskey(client)).code).toBe('conflict');
    expect((await add(client, late)).body.code).toBe('conflict');
  });

  it('leaves with its user, whose address can come again', async () => {
    const account = 'leavers';
    const [{ client: boss }, gone] = [
      await signedInByPassword(server, { account }),
      await withPasskey(server, { account }),
    ];
    const { users } = (await boss.graphql('{ users { items { id email } } }')).body.data;
    const { id } = users.items.find(({ email }: any) => email === gone.email);
    await boss.graphql('mutation ($id: ID!) { removeUser(id: $id) }', { id });
    expect((await signInWith(server, gone.passkey)).status).toBe(401);
    await signedInByPassword(server, { account, email: gone.email });
    expect((await signInWith(server, gone.passkey)).status).toBe(401);
  });

  it('makes sessions that end with the others of its person', async () => {
    const { client, passkey } = await withPasskey(server);
    const other = await signInWith(server, passkey);
    await client.send('POST', '/auth/revoke-sessions', { body: {} });
    expect(await meOf(other.client)).toBeUndefined();
    expect((await signInWith(server, passkey)).status).toBe(200);
  });

  it('stays when the password changes', async () => {
    const { client, passkey } = await withPasskey(server);
    const body = { currentPassword: PASSWORD, newPassword: 'another good one', revokeOtherSessions: true };
    expect((await client.send('POST', '/auth/change-password', { body })).status).toBe(200);
    expect((await signInWith(server, passkey)).status).toBe(200);
  });

  it('is not offered where BASE_URL is an IP address, for which browsers have none', async () => {
    const options = async (baseUrl: string) => (await atHome({ baseUrl }).send('GET', '/auth/options')).body.passkeys;
    expect([await options(server.url), await options(numbered.url)]).toEqual([true, false]);
  });

  it('remembers the browser, like a password', async () => {
    const { passkey } = await withPasskey(server);
    const response = passkey.get(await startSignIn(server));
    const { headers } = await atHome(server).send('POST', '/auth/sign-in/passkey', { body: { response } });
    expect(cookieOf(headers)).toMatch(/workflow_known=/);
    expect((await finishSignIn(server, response)).status).toBe(401);
  });
});

it('their library is loaded on demand: other imports name its types, and `import type` leaves nothing in the compiled file', () => {
  const sources = globSync('src/**/*.ts', { cwd: packageRoot });
  const loading = sources.filter((file) =>
    /^import (?!type )[^;]* from '@simplewebauthn\/server/m.test(readFileSync(join(packageRoot, file), 'utf8')),
  );
  expect(loading.filter((file) => !file.startsWith('src/dashboard/'))).toEqual([]);
});
