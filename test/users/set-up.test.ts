import { Client } from '../support/http/client.js';
import { atHome, cookieOf, makeUser, PASSWORD, signedInByPassword } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const first = { name: 'Ada', email: 'Ada@people.example', password: PASSWORD };

async function freshToken(of = server): Promise<string> {
  return (await of.newSetUpLink())!.split('/').at(-1)!;
}

const viewer = '{ viewer { account { name } apiKey { id } user { id email name } } }';

describe('the set-up link', () => {
  it('makes the first user of the account default, and signs them in', async () => {
    const page = atHome(server);
    expect((await page.send('GET', '/auth/options')).body).toEqual({
      set_up: true,
      oidc: [],
      mail: false,
      passkeys: true,
    });
    const answer = await page.send('POST', '/auth/set-up', { body: { token: await freshToken(), ...first } });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const client = atHome(server, cookieOf(answer.headers));
    expect((await client.graphql(viewer)).body).toEqual({
      data: {
        viewer: {
          account: { name: 'default' },
          apiKey: null,
          user: { id: expect.stringMatching(/^usr_/), email: 'ada@people.example', name: 'Ada' },
        },
      },
    });
    expect((await page.send('GET', '/auth/options')).body).toEqual({
      set_up: false,
      oidc: [],
      mail: false,
      passkeys: true,
    });
    expect(await server.newSetUpLink()).toBeUndefined();
  });

  it('makes the first user of the account that there is', async () => {
    await server.key('read-write', 'acme');
    const answer = await atHome(server).send('POST', '/auth/set-up', { body: { token: await freshToken(), ...first } });
    const { body } = await atHome(server, cookieOf(answer.headers)).graphql(viewer);
    expect(body.data.viewer.account.name).toBe('acme');
  });

  it('stays valid when another process makes one, until one of them is used', async () => {
    const earlier = await freshToken();
    const later = await freshToken();
    const page = atHome(server);
    const answers = [];
    for (const token of [earlier, later])
      answers.push(await page.send('POST', '/auth/set-up', { body: { token, ...first } }));
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  });

  it('makes one user when two links are used at once', async () => {
    const tokens = [await freshToken(), await freshToken(), await freshToken(), await freshToken()];
    const answers = await Promise.all(
      tokens.map((token, index) =>
        atHome(server).send('POST', '/auth/set-up', {
          body: { token, ...first, email: `user${index}@people.example` },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(await server.db.query('SELECT count(*) AS total FROM users')).toEqual([{ total: 1 }]);
  });

  it('is one of the latest hundred', async () => {
    const oldest = await freshToken();
    for (let made = 0; made < 100; made += 1) await freshToken();
    expect(await server.db.query('SELECT count(*) AS total FROM set_up_links')).toEqual([{ total: 100 }]);
    expect((await atHome(server).send('POST', '/auth/set-up', { body: { token: oldest, ...first } })).status).toBe(404);
  });

  it('is void forever once a user has existed, also one who came by an invitation or was removed', async () => {
    const token = await freshToken();
    const email = await makeUser(server);
    await server.db.query('DELETE FROM users WHERE email = $1', [email]);
    const page = atHome(server);
    expect((await page.send('POST', '/auth/set-up', { body: { token, ...first } })).status).toBe(404);
    const fresh = await freshToken();
    expect((await page.send('POST', '/auth/set-up', { body: { token: fresh, ...first } })).status).toBe(200);
  });

  it('makes one user, however many use it at once on two processes', async () => {
    const other = await startTestServer({ database: server.database });
    const token = await freshToken(other);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        atHome(index % 2 ? server : other).send('POST', '/auth/set-up', {
          body: { token, ...first, email: `user${index}@people.example` },
        }),
      ),
    );
    await other.close();
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await server.db.query('SELECT count(*) AS total FROM users')).toEqual([{ total: 1 }]);
  });

  it('stays valid after invalid input', async () => {
    const token = await freshToken();
    const page = atHome(server);
    const bad = await page.send('POST', '/auth/set-up', { body: { token, name: '', email: 'x', password: 'short' } });
    expect([bad.status, bad.body.details.map(({ field }: any) => field)]).toEqual([400, ['name', 'email', 'password']]);
    expect((await page.send('POST', '/auth/set-up', { body: { token, ...first } })).status).toBe(200);
  });

  it('can be used only from a page of the service', async () => {
    const body = { token: await freshToken(), ...first };
    for (const headers of [{}, { origin: 'https://evil.example' }] as Record<string, string>[]) {
      const answer = await new Client(server.baseUrl).send('POST', '/auth/set-up', { body, headers });
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    }
  });
});

describe('a person', () => {
  it('signs in with the password, and out', async () => {
    const { client, email } = await signedInByPassword(server);
    expect((await client.send('GET', '/auth/get-session')).body.user.email).toBe(email);
    const out = await client.send('POST', '/auth/sign-out');
    expect([out.status, cookieOf(out.headers)]).toEqual([200, '']);
    expect((await client.send('GET', '/auth/get-session')).body).toBeNull();
    expect((await client.graphql(viewer)).status).toBe(401);
  });
});
