import { type PasswordHash } from '../../src/platform/encryption/password-hash.js';
import { atHome, makeUser, mailedInvitation, PASSWORD, signedIn } from '../support/worlds/people.js';
import { QUICK_HASH } from '../support/quick-hash.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

/** Counts the passwords that are hashed, and those that are hashed at the same time. */
class CountedHash implements PasswordHash {
  hashed = 0;
  atOnce = 0;
  private underWay = 0;
  readonly verify = QUICK_HASH.verify;
  readonly hash = async (password: string): Promise<string> => {
    this.hashed += 1;
    this.underWay += 1;
    this.atOnce = Math.max(this.atOnce, this.underWay);
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.underWay -= 1;
    return QUICK_HASH.hash(password);
  };
}

const hash = new CountedHash();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ passwordHash: hash });
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(hash, { hashed: 0, atOnce: 0 });
});

const BODY = { name: 'Ada', email: 'first@people.example', password: PASSWORD };

async function invited(email: string): Promise<string> {
  const { client } = await signedIn(server);
  await client.graphql('mutation ($email: String!) { inviteUser(email: $email) { id } }', { email });
  return `/auth/invitations/${await mailedInvitation(server, email)}`;
}

async function resetting(email: string): Promise<string> {
  await makeUser(server, { email });
  await atHome(server).send('POST', '/auth/request-password-reset', { body: { email } });
  const link = async () => {
    const mails = await server.db.query<{ text: string }>('SELECT text FROM mails WHERE recipients = ARRAY[$1]', [
      email,
    ]);
    return /\/reset-password\/[\w-]{43}$/m.exec(mails[0]?.text ?? '')?.[0];
  };
  await until(async () => (await link()) !== undefined);
  return `/auth${(await link())!}`;
}

const post = (path: string, body: object = BODY) => atHome(server).send('POST', path, { body });
const statuses = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort();

// The first one, because it works only while there is no user.
it.each<[string, () => Promise<{ path: string; body?: object }>]>([
  [
    'the set-up',
    async () => ({
      path: '/auth/set-up',
      body: { ...BODY, token: (await server.newSetUpLink())!.split('/').at(-1)! },
    }),
  ],
  ['an invitation', async () => ({ path: await invited('one@people.example') })],
  ['a new password', async () => ({ path: await resetting('reset@people.example') })],
])('a link for %s that is used many times at once costs one hash', async (_, linkOf) => {
  const { path, body } = await linkOf();
  expect(await statuses(Array.from({ length: 6 }, () => post(path, body)))).toEqual([
    200,
    ...Array<number>(5).fill(404),
  ]);
  expect(hash).toMatchObject({ hashed: 1, atOnce: 1 });
});

it('passwords of different links are hashed one at a time, as those of sign-ins are', async () => {
  const paths = [await invited('two@people.example'), await invited('three@people.example')];
  paths.push(await resetting('four@people.example'));
  expect(await statuses(paths.map((path) => post(path)))).toEqual([200, 200, 200]);
  expect(hash).toMatchObject({ hashed: 3, atOnce: 1 });
});
