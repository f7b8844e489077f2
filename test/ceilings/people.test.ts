import { AccountService } from '../../src/features/accounts/account.service.js';
import { toPublicId } from '../../src/platform/ids/ids.js';
import { StillClock } from '../support/clock.js';
import { addUsers, atHome, PASSWORD, type SignedIn, signedIn } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';

const INVITE = 'mutation ($email: String!) { inviteUser(email: $email) { id email url } }';
const REVOKE = 'mutation ($id: ID!) { revokeInvitation(id: $id) }';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

const addresses = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}@x.example`);

/** An account with that many users. @returns one of them. */
async function accountWith(account: string, users: number): Promise<SignedIn> {
  const one = await signedIn(server, { account });
  const accountId = await new AccountService(server.db, server.clock).findOrCreate(server.db, account);
  await addUsers(server, accountId, addresses(account, users - 1));
  return one;
}

async function invite(
  by: SignedIn,
  email: string,
): Promise<{ id?: string; url?: string; code?: string; said?: string }> {
  const { body } = await by.client.graphql(INVITE, { email });
  if (body.errors === undefined) return body.data.inviteUser;
  const [{ message: said, extensions }] = body.errors;
  return { code: extensions.code, said };
}

describe('the users and open invitations of an account', () => {
  it('are 1,000 at most, also when invitations race for the last place', async () => {
    const admin = await accountWith('full', 998);
    const first = await invite(admin, 'first@x.example');
    const racing = await Promise.all(addresses('racing', 4).map((email) => invite(admin, email)));
    expect(racing.map(({ code = 'ok' }) => code).sort()).toEqual([...Array(3).fill('VALIDATION_ERROR'), 'ok']);
    expect(racing.find(({ code }) => code)).toMatchObject({
      said: "email: can't be invited: the account has 1,000 users and open invitations, the most that it may have",
    });
    // The same address keeps its place, and its user takes that of the invitation.
    const again = await invite(admin, 'first@x.example');
    const path = `/auth/invitations/${again.url!.split('/').at(-1)}`;
    const joined = await atHome(server).send('POST', path, { body: { name: 'First', password: PASSWORD } });
    expect([first.code, again.code, joined.status]).toEqual([undefined, undefined, 200]);
    expect((await invite(admin, 'late@x.example')).code).toBe('VALIDATION_ERROR');
    await admin.client.graphql(REVOKE, { id: racing.find(({ id }) => id)!.id });
    const last = await invite(admin, 'late@x.example');
    expect([last.code, (await invite(admin, 'later@x.example')).code]).toEqual([undefined, 'VALIDATION_ERROR']);
    expect((await invite(await signedIn(server, { account: 'empty' }), 'later@x.example')).code).toBeUndefined();
    // An invitation that has expired has no place.
    await server.db.query(`UPDATE invitations SET expires_at = created_at WHERE email = 'late@x.example'`);
    expect((await invite(admin, 'later@x.example')).code).toBeUndefined();
  });
});

describe('the removal of a user', () => {
  it('locks no other user of the account against changes', async () => {
    const admin = await accountWith('crowd', 1_000);
    const changes = server.db.source.createQueryRunner();
    await changes.startTransaction();
    // As changes of their profiles do.
    await changes.query(`SELECT 1 FROM users WHERE email <> 'crowd-7@x.example' FOR NO KEY UPDATE`);
    try {
      const [user] = await server.db.query<{ id: string }>(`SELECT id FROM users WHERE email = 'crowd-7@x.example'`);
      const id = toPublicId('usr', user!.id);
      const { body } = await admin.client.graphql('mutation ($id: ID!) { removeUser(id: $id) }', { id });
      expect(body).toEqual({ data: { removeUser: id } });
    } finally {
      await changes.rollbackTransaction();
      await changes.release();
    }
  });
});

describe('the invitations that an account mails', () => {
  it('are 100 at once, then one every 15 minutes', async () => {
    const limited = await startTestServer({ env: { ROLES: 'api', RATE_LIMITS: 'on' }, clock: new StillClock() });
    try {
      const [admin, other] = [
        await signedIn(limited, { account: 'mails' }),
        await signedIn(limited, { account: 'other' }),
      ];
      for (const email of addresses('guest', 100)) expect((await invite(admin, email)).code).toBeUndefined();
      expect(await invite(admin, 'one-more@x.example')).toEqual({
        code: 'RATE_LIMITED',
        said: 'This account has invited 100 people within a short time. Try again in 15 min.',
      });
      expect((await invite(other, 'one-more@x.example')).code).toBeUndefined();
      await limited.advance(15 * 60_000);
      expect((await invite(admin, 'one-more@x.example')).code).toBeUndefined();
      expect((await invite(admin, 'two-more@x.example')).code).toBe('RATE_LIMITED');
    } finally {
      await limited.close();
    }
  });
});
