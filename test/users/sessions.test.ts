import { createHash } from 'node:crypto';
import { openStream } from '../api-keys/connections.js';
import { Client } from '../support/http/client.js';
import { atHome, cookieOf, makeUser, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { openPersonSocket } from './person-socket.js';

const LISTED = 'https://app.example';
const FOREIGN = 'https://evil.example';
const viewer = '{ viewer { user { email } apiKey { label } } }';

let server: TestServer;
/** Another process on the same database. */
let other: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { CORS_ORIGINS: LISTED } });
  other = await startTestServer({ database: server.database, clock: server.clock });
});
afterAll(async () => {
  await other.close();
  await server.close();
});

describe('a process of before an upgrade', () => {
  it('signs people in and out while a newer version adds columns', async () => {
    const email = await makeUser(server);
    const body = { email, password: PASSWORD };
    const inAndOut = async (): Promise<number[]> => {
      const entered = await atHome(server).send('POST', '/auth/sign-in/email', { body });
      const page = atHome(server, cookieOf(entered.headers));
      const changed = await page.send('POST', '/auth/change-password', {
        body: { currentPassword: PASSWORD, newPassword: PASSWORD, revokeOtherSessions: true },
      });
      const left = await atHome(server, cookieOf(changed.headers)).send('POST', '/auth/sign-out', { body: {} });
      return [entered.status, changed.status, left.status];
    };
    // Each connection of the pool prepares the statements.
    await Promise.all(Array.from({ length: 12 }, inAndOut));
    const tables = ['users', 'user_sessions', 'user_credentials'];
    for (const table of tables) await server.db.query(`ALTER TABLE ${table} ADD newer text`);
    const answers = await Promise.all(Array.from({ length: 12 }, inAndOut));
    for (const table of tables) await server.db.query(`ALTER TABLE ${table} DROP newer`);
    expect(answers.flat().filter((status) => status >= 500)).toEqual([]);
    expect(await inAndOut()).toEqual([200, 200, 200]);
  });
});

describe('the cookie of a session', () => {
  it('is unreadable to scripts, kept to our site, and not the token that is stored', async () => {
    const email = await makeUser(server);
    const { headers } = await atHome(server).send('POST', '/auth/sign-in/email', {
      body: { email, password: PASSWORD },
    });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^workflow_session=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^workflow_known=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const token = decodeURIComponent(cookieOf(headers)).replace(/^.*?=/, '').split('.')[0]!;
    const [row] = await server.db.query('SELECT digest FROM user_sessions ORDER BY id DESC LIMIT 1');
    expect(row!.digest).toEqual(createHash('sha256').update(token).digest());
  });

  it('is bound to the host over https', async () => {
    const secure = await startTestServer({ database: server.database, env: { BASE_URL: 'https://flows.example' } });
    const origin = 'https://flows.example';
    const page = new Client(secure.url, undefined, { origin });
    const email = await makeUser(secure);
    const { headers } = await page.send('POST', '/auth/sign-in/email', { body: { email, password: PASSWORD } });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-workflow_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-workflow_known=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const asked = await page.send('POST', '/graphql', {
      body: { query: viewer },
      headers: { cookie: cookieOf(headers) },
    });
    expect(asked.body.data.viewer.user.email).toBe(email);
    await secure.close();
  });

  it('counts for nothing when it was changed, or signed by another', async () => {
    // Workers look at the database all the time.
    const idle = await startTestServer({ database: server.database, clock: server.clock, env: { ROLES: 'api' } });
    const { cookie } = await signedInByPassword(idle);
    const value = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1));
    const [token, signature] = value.split('.') as [string, string];
    const before = idle.db.statements;
    for (const forged of [
      token,
      `${token}.`,
      `${token}.${'A'.repeat(43)}=`,
      `${'x'.repeat(32)}.${signature}`,
      '%',
      '',
    ]) {
      const client = atHome(idle, `workflow_session=${encodeURIComponent(forged)}`);
      expect([forged.slice(0, 4), (await client.graphql(viewer)).status]).toEqual([forged.slice(0, 4), 401]);
      expect((await client.send('GET', '/auth/get-session')).body).toBeNull();
    }
    expect(idle.db.statements).toBe(before);
    await idle.close();
  });

  it('loses to an API key', async () => {
    const { cookie } = await signedInByPassword(server);
    const key = await server.key();
    const headers = { cookie, authorization: `Bearer ${key}` };
    for (const origin of [server.baseUrl, FOREIGN]) {
      const { body } = await new Client(server.baseUrl, undefined, { ...headers, origin }).graphql(viewer);
      expect(body.data.viewer).toEqual({ user: null, apiKey: { label: 'test' } });
    }
    const bad = await new Client(server.baseUrl, 'wfk_nonsense', { cookie, origin: server.baseUrl }).graphql(viewer);
    expect(bad.status).toBe(401);
  });
});

describe('a request with the cookie', () => {
  const from: [string, Record<string, string>, Record<string, string>][] = [
    ['another origin', { origin: FOREIGN }, { 'sec-fetch-site': 'cross-site' }],
    ['a listed origin', { origin: LISTED }, { origin: LISTED }],
    ['another port', { origin: 'http://localhost:1' }, { 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null' }, { origin: 'null' }],
    ['nowhere that it names', {}, { 'sec-fetch-site': 'cross-site' }],
    [
      'our origin, as it says, but another site',
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
    ],
  ];

  it.each(from)('is refused from %s, over every door, and does nothing', async (_, post, get) => {
    const { cookie, email } = await signedInByPassword(server);
    const ask = (method: string, path: string, body?: unknown) =>
      new Client(server.baseUrl, undefined, { cookie, ...(method === 'GET' ? get : post) }).send(method, path, {
        ...(body === undefined ? {} : { body }),
      });
    const answers = [
      await ask('POST', '/graphql', { query: 'mutation { updateProfile(name: "forged") { id } }' }),
      await ask('GET', '/graphql?query={viewer{user{name}}}'),
      await ask('POST', '/graphql/stream', { query: 'subscription { integrationStatusChanged { id } }' }),
      await ask('GET', '/graphql/stream?query=subscription{integrationStatusChanged{id}}'),
      await ask('POST', '/v1/workflows', { name: 'forged' }),
      await ask('GET', '/v1/workflows'),
      await ask('POST', '/auth/sign-out'),
      await ask('POST', '/auth/revoke-sessions'),
      await ask('GET', '/auth/get-session'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    const { body } = await atHome(server, cookie).graphql(
      '{ viewer { user { email name } } workflows { meta { total } } }',
    );
    expect(body.data).toEqual({ viewer: { user: { email, name: 'Ada' } }, workflows: { meta: { total: 0 } } });
  });

  it('is accepted from a page of the service, and after typing the URL', async () => {
    const { cookie } = await signedInByPassword(server);
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }] as Record<
      string,
      string
    >[]) {
      const answer = await new Client(server.baseUrl, undefined, { cookie, ...headers }).send('GET', '/v1/workflows');
      expect(answer.status).toBe(200);
    }
  });
});

describe('a WebSocket with the cookie', () => {
  it('opens for a page of the service', async () => {
    const { cookie } = await signedInByPassword(server);
    const socket = await openPersonSocket(server, { cookie, origin: server.baseUrl });
    expect(socket.opened).toBe(true);
    socket.close();
  });

  it.each([[FOREIGN], ['null'], [undefined], ['http://localhost:1']])(
    'is refused before it opens for a page of %s',
    async (origin) => {
      const { cookie } = await signedInByPassword(server);
      const key = await server.key();
      const headers = { cookie, ...(origin === undefined ? {} : { origin }) };
      for (const given of [undefined, key]) {
        const socket = await openPersonSocket(server, headers, given);
        expect([socket.opened, await socket.ended]).toEqual([false, 403]);
      }
    },
  );

  it('opens for a listed origin with a key, and the cookie counts for nothing there', async () => {
    const { cookie } = await signedInByPassword(server);
    const withKey = await openPersonSocket(server, { cookie, origin: LISTED }, await server.key());
    expect(withKey.opened).toBe(true);
    withKey.close();
    const without = await openPersonSocket(server, { cookie, origin: LISTED });
    expect([without.opened, await without.ended]).toEqual([false, 4401]);
  });

  it('does not stop requests without a cookie', async () => {
    const socket = await openPersonSocket(server, { origin: FOREIGN }, await server.key());
    expect(socket.opened).toBe(true);
    socket.close();
  });
});

describe('the end of a session', () => {
  const ways: [string, (of: Awaited<ReturnType<typeof signedInByPassword>>) => Promise<unknown>][] = [
    ['signing out', ({ client }) => client.send('POST', '/auth/sign-out')],
    [
      'signing out everywhere',
      ({ email }) =>
        signedInByPassword(server, { email }).then(({ client }) => client.send('POST', '/auth/revoke-sessions')),
    ],
    [
      'signing out there from another browser',
      async ({ email }) => {
        const { client } = await signedInByPassword(server, { email });
        const { sessions } = (await client.send('GET', '/auth/sessions')).body;
        const { id } = sessions.find(({ current }: any) => !current);
        expect((await client.send('POST', '/auth/end-session', { body: { id } })).status).toBe(200);
        expect((await client.graphql(viewer)).status).toBe(200);
      },
    ],
    [
      'a new password that ends the others',
      async ({ email }) => {
        const { client } = await signedInByPassword(server, { email });
        const body = { currentPassword: PASSWORD, newPassword: 'another horse battery', revokeOtherSessions: true };
        expect((await client.send('POST', '/auth/change-password', { body })).status).toBe(200);
      },
    ],
    [
      'being removed',
      async ({ client, email }) => {
        await makeUser(server);
        const { body } = await client.graphql('{ viewer { user { id } } }');
        const admin = await signedInByPassword(server);
        const removed = await admin.client.graphql(
          'mutation ($id: ID!) { removeUser(id: $id) }',
          body.data.viewer.user,
        );
        expect([email, removed.body.errors]).toEqual([email, undefined]);
      },
    ],
  ];

  it.each(ways)('by %s closes sockets and streams of every process, and is known there', async (_, end) => {
    const person = await signedInByPassword(server);
    const elsewhere = atHome(other, person.cookie);
    expect((await elsewhere.graphql(viewer)).status).toBe(200);
    const headers = { cookie: person.cookie, origin: other.baseUrl };
    const sockets = [
      await openPersonSocket(other, headers),
      await openPersonSocket(server, { ...headers, origin: server.baseUrl }),
    ];
    const stream = await fetch(`${other.baseUrl}/graphql/stream?query=subscription{integrationStatusChanged{id}}`, {
      headers,
    });
    expect([sockets.map(({ opened }) => opened), stream.status]).toEqual([[true, true], 200]);
    await end(person);
    expect(await Promise.all(sockets.map(({ ended }) => ended))).toEqual([4403, 4403]);
    await stream.text();
    for (const client of [elsewhere, person.client]) {
      expect((await client.graphql(viewer)).status).toBe(401);
    }
  });

  it('leaves other people and keys alone', async () => {
    const [one, two] = [await signedInByPassword(server), await signedInByPassword(server)];
    const socket = await openPersonSocket(server, { cookie: two.cookie, origin: server.baseUrl });
    const stream = await openStream(server, await server.key());
    await one.client.send('POST', '/auth/revoke-sessions');
    expect((await two.client.graphql(viewer)).status).toBe(200);
    const own = await signedInByPassword(server, { email: one.email });
    const again = await openPersonSocket(server, { cookie: own.cookie, origin: server.baseUrl });
    await own.client.send('POST', '/auth/sign-out');
    expect(await again.ended).toBe(4403);
    expect([socket.opened, stream.ended]).toEqual([true, false]);
    socket.close();
    stream.close();
  });

  it('comes 14 days after the last use, which moves it on once a day', async () => {
    const { client, cookie } = await signedInByPassword(server);
    const day = 86_400_000;
    expect((await client.send('GET', '/auth/get-session')).headers.getSetCookie()).toEqual([]);
    await server.advance(13 * day);
    const used = await client.send('GET', '/auth/get-session');
    const [session] = cookie.split('; ', 1);
    expect(cookieOf(used.headers)).toBe(session);
    await server.advance(13 * day);
    const asked = await client.graphql(viewer);
    expect([asked.status, cookieOf(asked.headers)]).toEqual([200, session]);
    expect((await client.graphql(viewer)).headers.getSetCookie()).toEqual([]);
    await server.advance(13 * day);
    const socket = await openPersonSocket(server, { cookie, origin: server.baseUrl });
    await server.advance(day);
    expect(await socket.ended).toBe(4403);
    expect((await client.graphql(viewer)).status).toBe(401);
    expect((await client.send('GET', '/auth/get-session')).body).toBeNull();
  });
});

describe('a session whose row is locked', () => {
  it('is used without a wait, and extended by the next use', async () => {
    const { client, cookie } = await signedInByPassword(server);
    await server.advance(2 * 86_400_000);
    await server.db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM user_sessions FOR UPDATE');
      const page = await client.send('GET', '/auth/get-session');
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, []]);
      const asked = await client.graphql(viewer);
      expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []]);
    });
    const [session] = cookie.split('; ', 1);
    expect(cookieOf((await client.graphql(viewer)).headers)).toBe(session);
  });
});

describe('a session of an older encryption key', () => {
  it('counts as long as that key is in the ring', async () => {
    const { cookie, email } = await signedInByPassword(server);
    const [old, fresh] = [0, 1].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const rotated = await startTestServer({
      database: server.database,
      clock: server.clock,
      env: { ENCRYPTION_KEY: `${fresh},${old}` },
    });
    const client = atHome(rotated, cookie);
    expect((await client.graphql(viewer)).body.data.viewer.user.email).toBe(email);
    const out = await client.send('POST', '/auth/sign-out');
    expect(out.status).toBe(200);
    await until(async () => (await client.graphql(viewer)).status === 401);
    await rotated.close();
  });
});
