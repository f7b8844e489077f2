import { AccountMail } from '../../src/features/accounts/account-mail.js';
import { AccountService } from '../../src/features/accounts/account.service.js';
import { MailQueue } from '../../src/platform/mail/mail-queue.js';
import {
  addUsers,
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

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  server = await startTestServer({ env: { CONTACT_EMAIL: 'operator@people.example' } });
  admin = await signedIn(server, { email: 'admin@people.example', name: 'Ada' });
});
afterAll(() => server.close());

async function ask(query: string, variables: Record<string, unknown> = {}, of = admin) {
  const { body } = await of.client.graphql(query, variables);
  return body.errors === undefined ? body.data : body.errors[0].extensions.code;
}

const INVITE = 'mutation ($email: String!) { inviteUser(email: $email) { id email url createdAt expiresAt } }';
const LIST = '{ invitations { items { id email url } meta { total } } }';

async function invite(email: string): Promise<{ id: string; url: string; token: string }> {
  const { inviteUser } = await ask(INVITE, { email });
  return { ...inviteUser, token: inviteUser.url.split('/').at(-1)! };
}

describe('an invitation', () => {
  it('is mailed, given back with its link once, and stored without it', async () => {
    const { inviteUser: made } = await ask(INVITE, { email: 'Grace@people.example' });
    expect(made).toEqual({
      id: expect.stringMatching(/^inv_/),
      email: 'grace@people.example',
      url: expect.stringMatching(new RegExp(`^${server.baseUrl}/invitations/[\\w-]{43}$`)),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(7 * 86_400_000);
    const { invitations } = await ask(LIST);
    expect(invitations.items[0]).toEqual({ id: made.id, email: 'grace@people.example', url: null });
    const [mail] = await server.db.query(
      `SELECT recipients, subject, text FROM mails ORDER BY created_at DESC LIMIT 1`,
    );
    expect(mail).toEqual({
      recipients: ['grace@people.example'],
      subject: 'Ada invites you to “default”',
      text: expect.stringMatching(new RegExp(`^${server.baseUrl}/invitations/[\\w-]{43}$`, 'm')),
    });
    // The inviter never sees the link whose use proves the address.
    expect(mail!.text).not.toContain(made.url);
    const rows = await server.db.query('SELECT i::text AS row FROM invitations i');
    const stored = rows.map(({ row }) => row).join();
    for (const token of [made.url.split('/').at(-1), await mailedInvitation(server, 'grace@people.example')]) {
      expect(stored).not.toContain(token);
    }
  });

  it('says whom it is for, and makes that user, once', async () => {
    const { token } = await invite('once@people.example');
    const page = atHome(server);
    expect((await page.send('GET', `/auth/invitations/${token}`)).body).toEqual({
      email: 'once@people.example',
      account: 'default',
    });
    const body = { name: 'Once', password: PASSWORD, email: 'other@people.example', account: 'other' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => page.send('POST', `/auth/invitations/${token}`, { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    const cookie = cookieOf(answers.find(({ status }) => status === 200)!.headers);
    const { body: asked } = await atHome(server, cookie).graphql('{ viewer { account { name } user { email name } } }');
    expect(asked.data.viewer).toEqual({
      account: { name: 'default' },
      user: { email: 'once@people.example', name: 'Once' },
    });
    expect((await page.send('GET', `/auth/invitations/${token}`)).status).toBe(404);
  });

  it('is void when it was revoked, replaced, or is 7 days old', async () => {
    const [revoked, old, aged] = [
      await invite('revoked@people.example'),
      await invite('again@people.example'),
      await invite('aged@people.example'),
    ];
    expect(await ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', revoked)).toEqual({
      revokeInvitation: revoked.id,
    });
    expect(await ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', revoked)).toBe('NOT_FOUND');
    const fresh = await invite('again@people.example');
    const status = async ({ token }: { token: string }) =>
      (await atHome(server).send('GET', `/auth/invitations/${token}`)).status;
    expect([await status(revoked), await status(old), await status(fresh), await status(aged)]).toEqual([
      404, 404, 200, 200,
    ]);
    await server.advance(7 * 86_400_000);
    expect([await status(fresh), await status(aged)]).toEqual([404, 404]);
    expect((await ask(LIST)).invitations.items).toEqual([]);
  });

  it('goes to no user of the account, and to no invalid address', async () => {
    expect(await ask(INVITE, { email: 'Admin@people.example' })).toBe('CONFLICT');
    for (const email of [
      '',
      'x',
      'a@b',
      'a@b.example\r\nBcc: c@d.example',
      'a@b.example,c@d.example',
      '<a@b.example>',
    ]) {
      expect([email, await ask(INVITE, { email })]).toEqual([email, 'VALIDATION_ERROR']);
    }
  });

  it('leaves a user of another account in that account', async () => {
    await makeUser(server, { email: 'elsewhere@people.example', account: 'other' });
    const { token } = await invite('elsewhere@people.example');
    const body = { name: 'E', password: PASSWORD };
    expect((await atHome(server).send('POST', `/auth/invitations/${token}`, { body })).status).toBe(409);
  });

  it('of another account can be neither seen nor revoked', async () => {
    const { id } = await invite('private@people.example');
    const stranger = await signedIn(server, { account: 'other' });
    expect((await ask(LIST, {}, stranger)).invitations.meta.total).toBe(0);
    expect(await ask('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id }, stranger)).toBe('NOT_FOUND');
  });
});

describe('users', () => {
  const REMOVE = 'mutation ($id: ID!) { removeUser(id: $id) }';
  const idOf = async (of: SignedIn): Promise<string> =>
    (await ask('{ viewer { user { id } } }', {}, of)).viewer.user.id;

  it('are listed newest first, only those of the account', async () => {
    const account = 'listed';
    const first = await signedIn(server, { account, name: 'First' });
    await makeUser(server, { account, name: 'Second' });
    const { users } = await ask('{ users { items { id name email createdAt } meta { total } } }', {}, first);
    expect([users.items.map(({ name }: any) => name), users.meta.total]).toEqual([['Second', 'First'], 2]);
  });

  it('rename themselves', async () => {
    const RENAME = 'mutation ($name: String!) { updateProfile(name: $name) { name } }';
    expect(await ask(RENAME, { name: 'Augusta Ada' })).toEqual({ updateProfile: { name: 'Augusta Ada' } });
    expect((await ask('{ viewer { user { name } } }')).viewer.user.name).toBe('Augusta Ada');
    for (const name of ['', 'x'.repeat(256), 'a\0']) expect(await ask(RENAME, { name })).toBe('VALIDATION_ERROR');
    await ask(RENAME, { name: 'Ada' });
  });

  it('of another account can not be removed, nor one that was removed', async () => {
    const stranger = await signedIn(server, { account: 'third' });
    expect(await ask(REMOVE, { id: await idOf(admin) }, stranger)).toBe('NOT_FOUND');
    expect(await ask(REMOVE, { id: 'usr_01h455vb4pex5vsknk084sn02q' })).toBe('NOT_FOUND');
    expect(await ask(REMOVE, { id: 'nonsense' })).toBe('NOT_FOUND');
  });

  it('may remove themselves, but never the last one', async () => {
    const account = 'leaving';
    const [one, two] = [await signedIn(server, { account }), await signedIn(server, { account })];
    const id = await idOf(one);
    expect(await ask(REMOVE, { id }, one)).toEqual({ removeUser: id });
    expect((await one.client.graphql('{ viewer { user { id } } }')).status).toBe(401);
    expect(await ask(REMOVE, { id: await idOf(two) }, two)).toBe('CONFLICT');
  });

  const ENTRANCES: [string, () => Promise<[email: string, path: string, body: object]>][] = [
    [
      'by password',
      async () => {
        const email = await makeUser(server);
        return [email, '/auth/sign-in/email', { email, password: PASSWORD }];
      },
    ],
    [
      'by an invitation',
      async () => {
        const { token } = await invite('short@people.example');
        return ['short@people.example', `/auth/invitations/${token}`, { name: 'Short', password: PASSWORD }];
      },
    ],
  ];

  it.each(ENTRANCES)('who are removed while they sign in %s get an error that says so', async (_, prepare) => {
    const [email, path, body] = await prepare();
    const removal = server.db.source.createQueryRunner();
    await removal.startTransaction();
    await removal.query('LOCK TABLE user_sessions IN SHARE ROW EXCLUSIVE MODE');
    const answer = atHome(server).send('POST', path, { body });
    await until(async () => (await server.db.query(WAITING)).length > 0);
    await removal.query('DELETE FROM users WHERE email = $1', [email]);
    await removal.commitTransaction();
    await removal.release();
    expect(await answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('leave one behind when all remove each other at once', async () => {
    const account = 'duel';
    const people = [
      await signedIn(server, { account }),
      await signedIn(server, { account }),
      await signedIn(server, { account }),
    ];
    const ids = await Promise.all(people.map(idOf));
    await Promise.allSettled(people.map((one, index) => ask(REMOVE, { id: ids[(index + 1) % 3] }, one)));
    const left = await server.db.query(
      `SELECT u.id FROM users u JOIN accounts a ON a.id = u.account_id WHERE a.name = $1`,
      [account],
    );
    expect(left.length).toBeGreaterThan(0);
  });

  it('change their password, knowing the present one, and stay signed in', async () => {
    const person = await signedIn(server);
    const change = (currentPassword: string, newPassword: string) =>
      person.client.send('POST', '/auth/change-password', { body: { currentPassword, newPassword } });
    for (const [current, fresh, field] of [
      ['wrong password', 'another horse battery', 'currentPassword'],
      [PASSWORD, 'short', 'newPassword'],
      [PASSWORD, 'x'.repeat(129), 'newPassword'],
    ] as const) {
      const { status, body } = await change(current, fresh);
      expect([status, body.details[0].field]).toEqual([400, field]);
    }
    // Characters are counted, not their code units.
    const fresh = '🔑'.repeat(128);
    expect((await change(PASSWORD, fresh)).status).toBe(200);
    expect((await person.client.graphql('{ viewer { user { id } } }')).status).toBe(200);
    const signIn = (password: string) =>
      atHome(server).send('POST', '/auth/sign-in/email', { body: { email: person.email, password } });
    expect([(await signIn(PASSWORD)).status, (await signIn(fresh)).status]).toEqual([401, 200]);
  });

  it('get the mail about their account, in the place of the operator', async () => {
    const mail = new AccountMail(new MailQueue(server.clock), 'operator@people.example');
    const accountId = await new AccountService(server.db, server.clock).findOrCreate(server.db, 'mailed');
    const told = async (key: string) => {
      await mail.add(server.db, { accountId, subject: 'News', text: 'News.', key });
      const [row] = await server.db.query(`SELECT recipients FROM mails WHERE key = $1`, [key]);
      return row!.recipients as string[];
    };
    expect(await told('mailed-1')).toEqual(['operator@people.example']);
    const people = [await makeUser(server, { account: 'mailed' }), await makeUser(server, { account: 'mailed' })];
    expect(await told('mailed-2')).toEqual(people);
  });

  it('all get the mail about their account, fifty at a time, and once', async () => {
    const mail = new AccountMail(new MailQueue(server.clock), 'operator@people.example');
    const accountId = await new AccountService(server.db, server.clock).findOrCreate(server.db, 'crowded');
    const people = Array.from({ length: 101 }, (_, place) => `person-${place}@crowd.example`);
    await addUsers(server, accountId, people.slice(0, 50));
    const add = (key: string) => mail.add(server.db, { accountId, subject: 'News', text: 'News.', key });
    const recipients = async (key: string) => {
      const rows = await server.db.query<{ recipients: string[] }>(
        `SELECT recipients FROM mails WHERE starts_with(key, $1) ORDER BY id`,
        [key],
      );
      return rows.map((row) => row.recipients);
    };
    await add('crowd-1');
    expect((await recipients('crowd-1')).map(({ length }) => length)).toEqual([50]);
    await addUsers(server, accountId, people.slice(50));
    await add('crowd-2');
    const told = await recipients('crowd-2');
    expect(told.map(({ length }) => length)).toEqual([50, 50, 1]);
    expect(told.flat().sort()).toEqual(people.sort());
    await add('crowd-2');
    expect(await recipients('crowd-2')).toHaveLength(3);
    await add('crowd-1');
    expect(await recipients('crowd-1')).toHaveLength(1);
  });
});
