import { sha256 } from '../../src/platform/encryption/secrets.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { defaultAccount, makeExpiredKey, makeKey, statusWith } from './key-world.js';
import { StillClock } from '../support/clock.js';

const HOUR = 3_600_000;

let server: TestServer;
let accountId: string;

beforeAll(async () => {
  server = await startTestServer({ clock: new StillClock() });
  accountId = await defaultAccount(server);
});
afterAll(() => server.close());

const rotate = (id: string, hours: number) => server.apiKeys.rotate(accountId, id, hours);

describe('a new key', () => {
  it.each([0, -HOUR])('is refused with an expiry that is not in the future (%i ms from now)', async (ahead) => {
    const expiresAt = new Date(server.clock.now().getTime() + ahead);
    await expect(makeKey(server, { expiresAt })).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ field: 'expiresAt', message: 'must be in the future' }],
    });
  });

  it('works at once and is stored as its SHA-256 and last four characters', async () => {
    const { apiKey, secret } = await makeKey(server, { label: 'ci', scope: 'read-only' });
    expect(await statusWith(server, secret)).toBe(200);
    expect(apiKey).toMatchObject({
      label: 'ci',
      scope: 'read-only',
      lastFour: secret.slice(-4),
      revokedAt: null,
      expiresAt: null,
    });
    const [row] = await server.db.query('SELECT digest, k::text AS text FROM api_keys k WHERE id = $1', [apiKey.uuid]);
    expect(row!.digest).toEqual(sha256(secret));
    expect(row!.text).not.toContain(secret.slice(0, 20));
  });
});

describe('a key with an expiry', () => {
  it('works until then and not from then on', async () => {
    const { secret } = await makeKey(server, { expiresAt: new Date(server.clock.now().getTime() + HOUR) });
    expect(await statusWith(server, secret)).toBe(200);
    await server.advance(HOUR - 1);
    expect(await statusWith(server, secret)).toBe(200);
    await server.advance(1);
    expect(await statusWith(server, secret)).toBe(401);
  });
});

describe('a rotation', () => {
  it('creates a key with the same label and scope, and the old one works during the overlap', async () => {
    const old = await makeKey(server, { label: 'ci', scope: 'read-only' });
    const made = await rotate(old.apiKey.id, 2);
    expect(made.apiKey).toMatchObject({ label: 'ci', scope: 'read-only', expiresAt: null });
    expect(made.secret).not.toBe(old.secret);
    await server.advance(2 * HOUR - 1);
    expect([await statusWith(server, old.secret), await statusWith(server, made.secret)]).toEqual([200, 200]);
    await server.advance(1);
    expect([await statusWith(server, old.secret), await statusWith(server, made.secret)]).toEqual([401, 200]);
  });

  it('ends the old key at once with an overlap of 0', async () => {
    const old = await makeKey(server);
    expect(await statusWith(server, old.secret)).toBe(200);
    const made = await rotate(old.apiKey.id, 0);
    expect([await statusWith(server, old.secret), await statusWith(server, made.secret)]).toEqual([401, 200]);
  });

  it('never extends the old key beyond its own expiry, which the new key has, too', async () => {
    const expiresAt = new Date(server.clock.now().getTime() + HOUR);
    const old = await makeKey(server, { expiresAt });
    const made = await rotate(old.apiKey.id, 720);
    expect(made.apiKey.expiresAt).toEqual(expiresAt);
    await server.advance(HOUR + 1_000);
    expect([await statusWith(server, old.secret), await statusWith(server, made.secret)]).toEqual([401, 401]);
  });

  it('when repeated, shortens the old key’s life, never extends it', async () => {
    const old = await makeKey(server);
    await rotate(old.apiKey.id, 1);
    await rotate(old.apiKey.id, 100);
    await server.advance(HOUR + 1_000);
    expect(await statusWith(server, old.secret)).toBe(401);
  });

  it('when repeated, creates a key with the original expiry, not with that of the overlap', async () => {
    const expiresAt = new Date(server.clock.now().getTime() + 30 * 24 * HOUR);
    const [endless, ending] = [await makeKey(server), await makeKey(server, { expiresAt })];
    for (const { apiKey } of [endless, ending]) await rotate(apiKey.id, 1);
    expect((await rotate(endless.apiKey.id, 1)).apiKey.expiresAt).toBeNull();
    expect((await rotate(ending.apiKey.id, 1)).apiKey.expiresAt).toEqual(expiresAt);
  });

  it('is refused for an expired or unknown key, or one of another account', async () => {
    const [revoked, expired] = [await makeKey(server), await makeExpiredKey(server)];
    await server.apiKeys.revoke(accountId, revoked.apiKey.id);
    for (const { apiKey } of [revoked, expired]) {
      await expect(rotate(apiKey.id, 1)).rejects.toMatchObject({ code: 'conflict' });
    }
    await server.key('read-write', 'other');
    const [theirs] = await server.db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = 'other'`);
    const good = await makeKey(server);
    await expect(server.apiKeys.rotate(theirs!.id, good.apiKey.id, 1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(rotate('key_01h455vb4pex5vsknk084sn02q', 1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(rotate('nonsense', 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('many times at once creates as many keys, and each works', async () => {
    const old = await makeKey(server);
    const made = await Promise.all(Array.from({ length: 5 }, () => rotate(old.apiKey.id, 1)));
    for (const { secret } of made) expect(await statusWith(server, secret)).toBe(200);
  });
});

describe('a revocation', () => {
  it('is refused at once in the process that revoked it, though the key is cached', async () => {
    for (let i = 0; i < 10; i += 1) {
      const { apiKey, secret } = await makeKey(server);
      expect(await statusWith(server, secret)).toBe(200);
      await server.apiKeys.revoke(accountId, apiKey.id);
      expect(await statusWith(server, secret)).toBe(401);
    }
  });

  it('wins against concurrent lookups', async () => {
    const { apiKey, secret } = await makeKey(server);
    const checks = Array.from({ length: 20 }, () => statusWith(server, secret));
    await server.apiKeys.revoke(accountId, apiKey.id);
    expect(await statusWith(server, secret)).toBe(401);
    await Promise.all(checks);
    expect(await statusWith(server, secret)).toBe(401);
  });

  it('keeps its first time when repeated', async () => {
    const { apiKey } = await makeKey(server);
    const { revokedAt } = await server.apiKeys.revoke(accountId, apiKey.id);
    await server.advance(1_000);
    expect((await server.apiKeys.revoke(accountId, apiKey.id)).revokedAt).toEqual(revokedAt);
  });
});
