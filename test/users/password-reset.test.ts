import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Client } from '../support/http/client.js';
import { atHome, cookieOf, makeUser, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { QUICK_HASH } from '../support/quick-hash.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { openPersonSocket } from './person-socket.js';
import { StillClock } from '../support/clock.js';

const FRESH = 'another horse battery';
const viewer = '{ viewer { user { email } } }';
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let server: TestServer;
/** Another process on the same database. */
let other: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ database: server.database, clock: server.clock });
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const ask = (email: string, of: TestServer = server) =>
  atHome(of).send('POST', '/auth/request-password-reset', { body: { email } });
const look = (token: string) => atHome(server).send('GET', `/auth/reset-password/${token}`);
const use = (token: string, password: unknown = FRESH, of = server) =>
  atHome(of).send('POST', `/auth/reset-password/${token}`, { body: { password } });
const signIn = (email: string, password: string) =>
  atHome(server).send('POST', '/auth/sign-in/email', { body: { email, password } });

async function mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
  return server.db.query<{ subject: string; text: string }>(
    `SELECT subject, text FROM mails WHERE recipients = ARRAY[$1] ORDER BY id`,
    [email],
  );
}

/** Asks for a link and waits until it is mailed. @returns its token. */
async function linkFor(email: string): Promise<string> {
  const before = (await mailsTo(email)).length;
  expect((await ask(email)).status).toBe(200);
  await until(async () => (await mailsTo(email)).length > before);
  return /\/reset-password\/([\w-]{43})$/m.exec((await mailsTo(email)).at(-1)!.text)![1]!;
}

describe('a link for a new password', () => {
  it('is mailed, and stored only as its digest', async () => {
    const email = await makeUser(server);
    const token = await linkFor(email);
    const [mail] = await mailsTo(email);
    expect(mail!.subject).toBe('Set a new password');
    expect(mail!.text).toContain(`\n${server.baseUrl}/reset-password/${token}\n`);
    const rows = await server.db.query('SELECT r::text AS row FROM password_resets r');
    expect(rows.map(({ row }) => row as string).join()).not.toContain(token);
  });

  it('sets the password and signs in; the old one counts no more', async () => {
    const email = await makeUser(server);
    const token = await linkFor(email);
    expect((await look(token)).body).toEqual({ email, account: 'default' });
    const answer = await use(token);
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const { body } = await atHome(server, cookieOf(answer.headers)).graphql(viewer);
    expect(body.data.viewer.user.email).toBe(email);
    expect([(await signIn(email, PASSWORD)).status, (await signIn(email, FRESH)).status]).toEqual([401, 200]);
    expect((await mailsTo(email)).at(-1)!.subject).toBe('Your password was changed');
  });

  it('ends the sessions of before in every process, and closes their sockets', async () => {
    const { email, cookie } = await signedInByPassword(server);
    const elsewhere = atHome(other, cookie);
    expect((await elsewhere.graphql(viewer)).status).toBe(200);
    const sockets = [
      await openPersonSocket(server, { cookie, origin: server.baseUrl }),
      await openPersonSocket(other, { cookie, origin: other.baseUrl }),
    ];
    expect(sockets.map(({ opened }) => opened)).toEqual([true, true]);
    const { headers } = await use(await linkFor(email));
    expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4403, 4403]);
    for (const client of [elsewhere, atHome(server, cookie)]) expect((await client.graphql(viewer)).status).toBe(401);
    expect((await atHome(other, cookieOf(headers)).graphql(viewer)).status).toBe(200);
  });

  it('works once, however many use it at once on two processes', async () => {
    const email = await makeUser(server);
    const token = await linkFor(email);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => use(token, `${FRESH} ${index}`, index % 2 ? server : other)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await signIn(email, `${FRESH} ${winner}`)).status).toBe(200);
    expect([(await use(token)).status, (await look(token)).status]).toEqual([404, 404]);
  });

  it('is void when a later one was made, after an hour, and with its user', async () => {
    const email = await makeUser(server);
    const old = await linkFor(email);
    const fresh = await linkFor(email);
    expect([(await look(old)).status, (await use(old)).status, (await look(fresh)).status]).toEqual([404, 404, 200]);
    await server.advance(3_600_000);
    expect([(await look(fresh)).status, (await use(fresh)).status]).toEqual([404, 404]);
    const last = await linkFor(email);
    await server.db.query('DELETE FROM users WHERE email = $1', [email]);
    expect([(await look(last)).status, (await use(last)).status]).toEqual([404, 404]);
  });

  it('is void when the password was changed in another way', async () => {
    for (const revokeOtherSessions of [true, false]) {
      const { client, email } = await signedInByPassword(server);
      const token = await linkFor(email);
      const wrong = { currentPassword: 'wrong password', newPassword: FRESH };
      expect((await client.send('POST', '/auth/change-password', { body: wrong })).status).toBe(400);
      expect((await look(token)).status).toBe(200);
      const body = { currentPassword: PASSWORD, newPassword: FRESH, revokeOtherSessions };
      expect((await client.send('POST', '/auth/change-password', { body })).status).toBe(200);
      expect((await use(token)).status).toBe(404);
    }
  });

  it('stays whole when the password does not do', async () => {
    const token = await linkFor(await makeUser(server));
    for (const password of ['short', 'x'.repeat(129), '\0'.repeat(12), 7, null]) {
      const { status, body } = await use(token, password);
      expect([status, body.details[0].field]).toEqual([400, 'password']);
    }
    expect((await use(token, '🔑'.repeat(128))).status).toBe(200);
  });

  it('is not opened by looking at it, as scanners of mail do', async () => {
    const token = await linkFor(await makeUser(server));
    for (let i = 0; i < 3; i += 1) {
      expect((await fetch(`${server.baseUrl}/reset-password/${token}`)).status).toBeLessThan(600);
      expect((await look(token)).status).toBe(200);
    }
    expect((await use(token)).status).toBe(200);
  });

  it('can be used only from a page of the service', async () => {
    const token = await linkFor(await makeUser(server));
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }] as Record<string, string>[]) {
      const page = new Client(server.baseUrl, undefined, headers);
      const answer = await page.send('POST', `/auth/reset-password/${token}`, { body: { password: FRESH } });
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    }
    expect((await look(token)).status).toBe(200);
  });

  it('leads to BASE_URL, whatever host the request names', async () => {
    const email = await makeUser(server);
    const evil = 'evil.example';
    const asked = request(`${server.baseUrl}/auth/request-password-reset`, {
      method: 'POST',
      headers: {
        origin: server.baseUrl,
        'content-type': 'application/json',
        host: evil,
        'x-forwarded-host': evil,
        'x-forwarded-proto': 'https',
        forwarded: `host=${evil}`,
        referer: `https://${evil}/`,
      },
    });
    asked.end(JSON.stringify({ email, redirectTo: `https://${evil}/`, callbackURL: `https://${evil}/` }));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(200);
    await until(async () => (await mailsTo(email)).length > 0);
    const [mail] = await mailsTo(email);
    expect(mail!.text).toContain(`${server.baseUrl}/reset-password/`);
    expect(JSON.stringify(mail)).not.toContain(evil);
  });

  it('is in the log with the whole mail if no mail server is configured', async () => {
    const token = await linkFor(await makeUser(server));
    // Either of the two processes sends it.
    const lines = () => [...server.logs, ...other.logs];
    await until(() => lines().some((line) => line.includes(token) && line.includes('SMTP_URL is not set')));
    const beside = lines().filter((line) => line.includes(token) && !line.includes('"mail: '));
    expect(beside).toEqual([]);
  });
});

describe('a caller with the old password', () => {
  /** Sets another password, as a link does, while a request that verified the old one waits to write. */
  async function overtaken(email: string, hold: string, ask: () => Promise<{ status: number }>): Promise<number> {
    const link = server.db.source.createQueryRunner();
    await link.startTransaction();
    await link.query(hold);
    const answer = ask();
    await until(async () => (await server.db.query(WAITING)).length > 0);
    await link.query(
      `UPDATE user_credentials SET password = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email, await QUICK_HASH.hash(FRESH)],
    );
    await link.query(`DELETE FROM user_sessions WHERE user_id = (SELECT id FROM users WHERE email = $1)`, [email]);
    await link.commitTransaction();
    await link.release();
    return (await answer).status;
  }

  it('is not signed in by a concurrent sign-in', async () => {
    const email = await makeUser(server);
    const hold = 'LOCK TABLE user_sessions IN SHARE ROW EXCLUSIVE MODE';
    expect(await overtaken(email, hold, () => signIn(email, PASSWORD))).toBe(401);
    expect(
      await server.db.query(`SELECT 1 FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1`, [
        email,
      ]),
    ).toEqual([]);
    expect((await signIn(email, FRESH)).status).toBe(200);
  });

  it('does not replace the new one by a concurrent change', async () => {
    const { client, email } = await signedInByPassword(server);
    const hold = `SELECT 1 FROM user_credentials WHERE user_id = (SELECT id FROM users WHERE email = '${email}') FOR UPDATE`;
    const body = { currentPassword: PASSWORD, newPassword: 'chosen by somebody else', revokeOtherSessions: true };
    expect(await overtaken(email, hold, () => client.send('POST', '/auth/change-password', { body }))).toBe(409);
    const statuses = [await signIn(email, 'chosen by somebody else'), await signIn(email, FRESH)];
    expect(statuses.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('does not stay in by a sign-in between the end of all sessions and the change that ends them', async () => {
    const { client, email } = await signedInByPassword(server);
    const holder = server.db.source.createQueryRunner();
    await holder.startTransaction();
    // The change has to wait; a sign-in reads the password all the same.
    await holder.query(
      `SELECT 1 FROM user_credentials WHERE user_id = (SELECT id FROM users WHERE email = $1) FOR SHARE`,
      [email],
    );
    const body = { currentPassword: PASSWORD, newPassword: FRESH, revokeOtherSessions: true };
    const change = client.send('POST', '/auth/change-password', { body });
    await until(async () => (await server.db.query(WAITING)).length > 0);
    const intruder = await signIn(email, PASSWORD);
    await holder.commitTransaction();
    await holder.release();
    const changed = await change;
    expect([intruder.status, changed.status]).toEqual([200, 200]);
    const statuses = [intruder, changed].map(
      async ({ headers }) => (await atHome(server, cookieOf(headers)).graphql(viewer)).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200]);
  });
});

describe('asking for a new password', () => {
  it('answers the same whether or not the address is a user’s', async () => {
    const email = await makeUser(server);
    const answers = [await ask(email), await ask('nobody@people.example')];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, {}]));
    const names = answers.map(({ headers }) => [...headers.keys()].sort());
    expect(names[0]).toEqual(names[1]);
    await until(async () => (await mailsTo(email)).length === 1);
    expect(await mailsTo('nobody@people.example')).toEqual([]);
  });

  it('answers before anything is written, so that the time tells nothing', async () => {
    const email = await makeUser(server);
    // No link can be written, so a request that waited for it would hang.
    const holder = server.db.source.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE password_resets, mails IN EXCLUSIVE MODE');
    try {
      expect((await ask(email)).status).toBe(200);
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    await until(async () => (await mailsTo(email)).length === 1);
  });

  it('takes an email address alone', async () => {
    for (const email of [
      '',
      'x',
      'a@b',
      7,
      null,
      { $ne: 1 },
      'a@b.example\r\nBcc: c@d.example',
      'a@b.example,c@d.example',
    ]) {
      const { status, body } = await ask(email as string);
      expect([email, status, body.details?.[0].field]).toEqual([email, 400, 'email']);
    }
  });

  it('sends a link to a user of an issuer that is no longer configured', async () => {
    const email = await makeUser(server);
    await server.db.query(
      `UPDATE user_credentials SET provider = 'https://old.example', password = NULL
      WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    expect((await use(await linkFor(email))).status).toBe(200);
    expect((await signIn(email, FRESH)).status).toBe(200);
  });
});

describe('asking for a new password where people sign in by OIDC', () => {
  it('says so to users without a password, and sends others a link', async () => {
    const withIssuer = await startTestServer({
      database: server.database,
      clock: server.clock,
      env: {
        OIDC_ISSUER: 'http://localhost:9',
        OIDC_CLIENT_ID: 'gateway',
        OIDC_CLIENT_SECRET: 'a secret of the gateway',
        OIDC_NAME: 'Example ID',
      },
    });
    const [without, both] = [await makeUser(server), await makeUser(server)];
    await server.db.query(
      `UPDATE user_credentials SET provider = 'http://localhost:9', password = NULL
      WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [without],
    );
    for (const email of [without, both]) expect((await ask(email, withIssuer)).status).toBe(200);
    await withIssuer.close();
    const [[told], [mailed]] = [await mailsTo(without), await mailsTo(both)];
    expect(told!.subject).toBe('You sign in without a password');
    expect(told!.text).toContain('you sign in with Example ID');
    expect(told!.text).not.toContain('/reset-password/');
    expect(mailed!.text).toContain('/reset-password/');
  });
});

describe('limits', () => {
  let limited: TestServer;
  beforeAll(async () => {
    limited = await startTestServer({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' }, clock: new StillClock() });
  });
  afterAll(() => limited.close());

  const from = (address: string) =>
    new Client(limited.baseUrl, undefined, { origin: limited.baseUrl, 'x-forwarded-for': address });
  const askFrom = async (email: string, address: string) =>
    (await from(address).send('POST', '/auth/request-password-reset', { body: { email } })).status;

  it('hold what one person is written, from wherever it is asked, and whether or not they are a user', async () => {
    const email = await makeUser(limited);
    for (const asked of [email, 'nobody@people.example']) {
      const statuses = [];
      for (let i = 0; i < 5; i += 1)
        statuses.push(await askFrom(i % 2 ? asked.toUpperCase() : asked, `198.51.100.${i}`));
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    }
    // Signing in is another matter.
    const body = { email, password: PASSWORD };
    expect((await from('198.51.100.9').send('POST', '/auth/sign-in/email', { body })).status).toBe(200);
    await limited.advance(300_000);
    expect(await askFrom(email, '198.51.100.1')).toBe(200);
  });

  it('hold guesses at links, and how many addresses one can try', async () => {
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 60) {
      const guess = `${statuses.length}`.padEnd(43, 'x');
      const of = from('203.0.113.7');
      statuses.push(
        statuses.length % 2
          ? (await of.send('GET', `/auth/reset-password/${guess}`)).status
          : (await of.send('POST', `/auth/reset-password/${guess}`, { body: { password: FRESH } })).status,
      );
    }
    expect([statuses.at(-1), statuses.length > 30]).toEqual([429, true]);
    expect(await askFrom('someone@people.example', '203.0.113.7')).toBe(429);
    expect(await askFrom('someone@people.example', '203.0.113.8')).toBe(200);
  });
});
