import { atHome, cookieOf, makeUser, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { shellCommand } from '../support/shell-command.js';
import { openPersonSocket } from '../users/person-socket.js';

let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  env = {
    DATABASE_URL: server.database.url,
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    BASE_URL: server.baseUrl,
  };
});
afterAll(() => server.close());

const users = (...args: string[]) => shellCommand('users', env, args);

/** Expects a link as the only output of a command. @returns its token. */
async function token(path: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await users(...args);
  expect([status, stderr]).toEqual([0, '']);
  const start = `${server.baseUrl}/${path}/`;
  expect([stdout.startsWith(start), stdout.slice(start.length)]).toEqual([
    true,
    expect.stringMatching(/^[\w-]{43}\n$/),
  ]);
  return stdout.slice(start.length).trimEnd();
}

async function list(...args: string[]): Promise<Record<string, unknown>[]> {
  const { status, stdout, stderr } = await users('list', ...args);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Record<string, unknown>]));
}

describe('the users command beside a running service', () => {
  it('invites the first user of a new account, and sends no mail', async () => {
    const invited = await token('invitations', 'invite', 'Grace@people.example', '--account', 'Second & Co');
    const page = atHome(server);
    expect((await page.send('GET', `/auth/invitations/${invited}`)).body).toEqual({
      email: 'grace@people.example',
      account: 'Second & Co',
    });
    expect(await server.db.query('SELECT 1 FROM mails')).toEqual([]);
    const body = { name: 'Grace', password: PASSWORD };
    expect((await page.send('POST', `/auth/invitations/${invited}`, { body })).status).toBe(200);
    await token('invitations', 'invite', 'ada@people.example');
    const accounts = await server.db.query('SELECT name FROM accounts ORDER BY id');
    expect(accounts.map(({ name }) => name as string)).toEqual(['Second & Co', 'default']);
  });

  it('lists users of all accounts or of one, one per line', async () => {
    const email = await makeUser(server, { account: 'listed', name: 'Ada\nL' });
    await makeUser(server, { account: 'not listed' });
    const listed = {
      id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      account: 'listed',
      email,
      name: 'Ada\nL',
      created_at: expect.stringMatching(/Z$/),
    };
    expect(await list('--account', 'listed')).toEqual([listed]);
    const all = await list();
    expect(all).toContainEqual(listed);
    expect(all.map(({ account }) => account)).toContain('not listed');
  });

  it('gives a link that sets a new password, and mails nobody before it is used', async () => {
    const { email, client } = await signedInByPassword(server);
    const old = await token('reset-password', 'reset', email);
    const link = await token('reset-password', 'reset', email.toUpperCase());
    expect(await server.db.query('SELECT 1 FROM mails')).toEqual([]);
    expect((await client.graphql('{ viewer { user { id } } }')).status).toBe(200);
    const body = { password: 'another horse battery' };
    const use = (of: string) => atHome(server).send('POST', `/auth/reset-password/${of}`, { body });
    expect((await use(old)).status).toBe(404);
    const answer = await use(link);
    expect(answer.status).toBe(200);
    expect((await client.graphql('{ viewer { user { id } } }')).status).toBe(401);
    const { body: asked } = await atHome(server, cookieOf(answer.headers)).graphql('{ viewer { user { email } } }');
    expect(asked.data.viewer.user.email).toBe(email);
  });

  it('removes a user, the last one too, whose sessions end at once', async () => {
    const { email, cookie, client } = await signedInByPassword(server, { account: 'alone' });
    const socket = await openPersonSocket(server, { cookie, origin: server.baseUrl });
    expect(socket.opened).toBe(true);
    expect(await users('remove', email)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(await socket.ended).toBe(4403);
    expect((await client.graphql('{ viewer { user { id } } }')).status).toBe(401);
    expect(await server.db.query('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
  });
});

describe('an error of the users command', () => {
  it.each([
    [[], 'usage: '],
    [['--help'], 'usage: '],
    [['list', '--help'], 'usage: '],
    [['invite', 'nonsense'], 'EMAIL must be an email address'],
    [['invite', 'a@b.example\nBcc: c@d.example'], 'EMAIL must be an email address'],
    [['invite', 'a@people.example', '--account', ''], '--account must not be empty'],
    [['reset', 'nobody@people.example'], 'no user has the address nobody@people.example'],
    [['reset', 'nobody@people.example', '--account', 'x'], '--account belongs to list and invite'],
    [['remove', 'nobody@people.example'], 'no user has the address nobody@people.example'],
    [['list', '--account', 'nobody'], 'no account is called "nobody"'],
  ])('is one line on stderr and status 1: %j', async (args, message) => {
    const { status, stdout, stderr } = await users(...args);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^users: [^\n]+\n$/)]);
    expect(stderr).toContain(message);
  });

  it('leaves no account behind', async () => {
    const email = await makeUser(server);
    const { status, stderr } = await users('invite', email, '--account', 'never');
    expect([status, stderr]).toEqual([1, expect.stringContaining('is a user already')]);
    expect(await server.db.query(`SELECT 1 FROM accounts WHERE name = 'never'`)).toEqual([]);
  });
});
