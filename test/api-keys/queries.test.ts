import { newKeyText } from '../../src/features/api-keys/key-text.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { makeExpiredKey, makeKey, statusWith } from './key-world.js';
import { until } from '../support/until.js';
import { StillClock } from '../support/clock.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' }, clock: new StillClock() });
});
afterAll(() => server.close());

/** Statements that `work` caused, without those of background jobs. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = server.db.statements;
  await work();
  return server.db.statements - before;
}

const lastUse = async (uuid: string) =>
  (await server.db.query<{ at: Date | null }>('SELECT last_used_at AS at FROM api_keys WHERE id = $1', [uuid]))[0]!.at;

/** As above, for work done three times: a stall of the machine may let a second pass during it. */
async function leastOf(work: () => Promise<unknown>): Promise<number> {
  return Math.min(await statementsOf(work), await statementsOf(work), await statementsOf(work));
}

/** A request whose only statement is that of the key. */
const cheap = (key: string) =>
  fetch(`${server.baseUrl}/v1/nothing`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

describe('checking a key', () => {
  it('costs no statement for a text without the form of a key', async () => {
    const key = newKeyText();
    expect(
      await statementsOf(() => Promise.all(['', 'x', key.slice(1), `${key}0`, key.toUpperCase()].map(cheap))),
    ).toBe(0);
  });

  it('costs one for an unknown key, and none when it is repeated within a second', async () => {
    const key = newKeyText();
    expect(await statementsOf(() => cheap(key))).toBe(1);
    const repeated = async () =>
      expect(new Set(await Promise.all(Array.from({ length: 20 }, () => cheap(key))))).toEqual(new Set([401]));
    expect(await leastOf(repeated)).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await statementsOf(() => cheap(key))).toBe(1);
  });

  it('costs one for many first uses of one key at once', async () => {
    const { secret } = await makeKey(server);
    // One to look it up, one to note the use.
    expect(await statementsOf(() => Promise.all(Array.from({ length: 30 }, () => cheap(secret))))).toBe(2);
    expect(await leastOf(() => cheap(secret))).toBe(0);
  });
});

describe('last_used_at', () => {
  it('is stored at the first use, and at most once a minute', async () => {
    const { apiKey, secret } = await makeKey(server);
    expect(await lastUse(apiKey.uuid)).toBeNull();
    await statusWith(server, secret);
    await until(async () => (await lastUse(apiKey.uuid)) !== null);
    const first = await lastUse(apiKey.uuid);
    expect(first!.getTime()).toBe(server.clock.now().getTime());
    await server.advance(59_999);
    await statusWith(server, secret);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await lastUse(apiKey.uuid)).toEqual(first);
    await server.advance(1);
    await Promise.all(Array.from({ length: 5 }, () => statusWith(server, secret)));
    await until(async () => (await lastUse(apiKey.uuid))! > first!);
  });

  it('is not changed by refused requests', async () => {
    const { apiKey, secret } = await makeExpiredKey(server);
    expect(await statusWith(server, secret)).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await lastUse(apiKey.uuid)).toBeNull();
  });

  it('is written once a minute by two processes together', async () => {
    const other = await startTestServer({ env: { ROLES: 'api' }, database: server.database, clock: server.clock });
    try {
      const { apiKey, secret } = await makeKey(server);
      await statusWith(server, secret);
      await until(async () => (await lastUse(apiKey.uuid)) !== null);
      const first = await lastUse(apiKey.uuid);
      await statusWith(other, secret);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await lastUse(apiKey.uuid)).toEqual(first);
    } finally {
      await other.close();
    }
  });
});
