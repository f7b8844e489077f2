import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { signedIn } from '../support/worlds/people.js';

describe('/v1/account', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
  });
  afterAll(() => server.close());

  it('gives a person their account, and renames it', async () => {
    const { client } = await signedIn(server, { account: 'before' });
    const account = await client.rest('GET', '/account');
    expect(account.body).toEqual({
      id: expect.stringMatching(/^acc_/),
      name: 'before',
      event_log: true,
      created_at: expect.stringMatching(/Z$/),
    });
    const renamed = await client.rest('PUT', '/account', { body: { name: 'After' } });
    expect([renamed.status, renamed.body]).toEqual([200, { ...account.body, name: 'After' }]);
    expect((await client.rest('PUT', '/account', { body: {} })).body.name).toBe('After');
    expect((await client.graphql('{ viewer { account { name } } }')).body.data.viewer.account.name).toBe('After');
  });

  it('is closed to keys', async () => {
    const key = new Client(server.baseUrl, await server.key('read-write'));
    expect((await key.rest('GET', '/account')).status).toBe(403);
    expect((await key.rest('PUT', '/account', { body: { name: 'mine' } })).body.code).toBe('forbidden');
  });

  it('refuses an empty name and that of another account', async () => {
    const { client } = await signedIn(server, { account: 'one' });
    await signedIn(server, { account: 'two' });
    const put = (name: string) => client.rest('PUT', '/account', { body: { name } });
    expect((await put('')).body).toMatchObject({ code: 'validation_error', details: [{ field: 'name' }] });
    const taken = await put('two');
    expect([taken.status, taken.body.code, taken.body.details[0].field]).toEqual([409, 'conflict', 'name']);
    expect((await put('one')).status).toBe(200);
  });

  it('lets one of two accounts have a name that both want at once', async () => {
    const people = await Promise.all(['left', 'right'].map((account) => signedIn(server, { account })));
    const statuses = await Promise.all(
      people.map(async ({ client }) => (await client.rest('PUT', '/account', { body: { name: 'wanted' } })).status),
    );
    expect(statuses.sort()).toEqual([200, 409]);
  });
});
