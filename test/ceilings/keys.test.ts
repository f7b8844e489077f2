import { defaultAccount, makeKey } from '../api-keys/key-world.js';
import { type SignedIn, signedIn } from '../support/worlds/people.js';
import { startTestServer, type TestServer } from '../support/server.js';

const CREATE = 'mutation { createApiKey(input: { label: "x", scope: READ_ONLY }) { apiKey { id } } }';
const ROTATE = 'mutation ($id: ID!, $hours: Int!) { rotateApiKey(id: $id, overlapHours: $hours) { apiKey { id } } }';
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(id: $id) { id } }';

describe('the API keys of an account', () => {
  let server: TestServer;
  let person: SignedIn;
  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    person = await signedIn(server);
  });
  afterAll(() => server.close());

  async function ask(query: string, variables: Record<string, unknown> = {}, by = person) {
    const { body } = await by.client.graphql(query, variables);
    return body.errors === undefined ? 'ok' : `${body.errors[0].extensions.code} ${body.errors[0].message}`;
  }
  /** Adds keys; `end`: when they expire. */
  const add = async (count: number, end: string | null = null) =>
    server.db.query(
      `INSERT INTO api_keys (id, account_id, label, scope, digest, last_four, created_at, expires_at)
       SELECT gen_random_uuid(), $1, 'x', 'read-only', sha256(gen_random_uuid()::text::bytea), 'abcd', clock_now(), $2::timestamptz
       FROM generate_series(1, $3::integer)`,
      [await defaultAccount(server), end, count],
    );

  it('are 10,000 that work at most, also when requests race for the last place', async () => {
    const { apiKey } = await makeKey(server);
    await add(9_998);
    // Neither these nor revoked ones count.
    await add(100, '2020-01-01');
    const most = 'the account has 10,000 keys that are neither revoked nor expired, the most that it may have';
    const racing = await Promise.all(Array.from({ length: 4 }, () => ask(CREATE)));
    const refused = `VALIDATION_ERROR label: can't be created: ${most}`;
    expect(racing.sort()).toEqual([refused, refused, refused, 'ok']);
    const { id } = apiKey;
    expect(await ask(ROTATE, { id, hours: 1 })).toBe(
      `VALIDATION_ERROR overlapHours: can't be replaced with an overlap: ${most}`,
    );
    expect(await ask(ROTATE, { id, hours: 0 })).toBe('ok');
    expect(await ask(CREATE)).toBe(refused);
    const { body } = await person.client.rest('GET', '/api_keys?per_page=1');
    expect(body.meta.total).toBe(10_101);
    await ask(REVOKE, { id: body.data[0].id });
    expect([await ask(CREATE), await ask(CREATE)]).toEqual(['ok', refused]);
    expect(await ask(CREATE, {}, await signedIn(server, { account: 'other' }))).toBe('ok');
  });
});
