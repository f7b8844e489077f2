import { ApiKeyService } from '../../src/features/api-keys/api-key.service.js';
import { Authentication } from '../../src/features/authentication/authentication.js';
import { systemClock } from '../../src/platform/clock.js';
import { type Database } from '../../src/platform/db/database.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { defaultAccount } from './key-world.js';
import { until } from '../support/until.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

/** The same database over a slow network: answers arrive only when `deliver` is called. */
function slowly(db: Database): { db: Database; deliver: () => void; lookups: () => number } {
  const gate = Promise.withResolvers<null>();
  let lookups = 0;
  const query: Database['query'] = async (text, values) => {
    if (text.includes('FROM api_keys WHERE digest')) lookups += 1;
    const rows = await db.query(text, values);
    await gate.promise;
    return rows as never;
  };
  const slow = Object.assign(Object.create(db) as Database, { query });
  return {
    db: slow,
    deliver: () => {
      gate.resolve(null);
    },
    lookups: () => lookups,
  };
}

/** A lookup under way, of a new key, in an instance whose answers are slow. */
async function lookUp() {
  const logger = createLogger('silent');
  const notifications = new Notifications(server.database.url, logger);
  const slow = slowly(server.db);
  const none = { callerOf: () => Promise.resolve(undefined), tokenOf: () => undefined };
  const authentication = new Authentication(slow.db, systemClock, logger, notifications, none, none);
  const keys = new ApiKeyService(server.db, systemClock, notifications);
  const accountId = await defaultAccount(server);
  const { apiKey, secret } = await keys.create(accountId, { label: 'x', scope: 'read-only' });

  const before = server.db.statements;
  const check = authentication.ofHeader(`Bearer ${secret}`);
  check.catch(() => undefined);
  await until(() => server.db.statements > before);
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { authentication, keys, accountId, apiKey, secret, check, ...slow };
}

describe('a lookup in flight', () => {
  it('is not used when its key was revoked meanwhile', async () => {
    const { authentication, keys, accountId, apiKey, secret, check, deliver } = await lookUp();
    await keys.revoke(accountId, apiKey.id);
    deliver();
    await expect(check).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(authentication.ofHeader(`Bearer ${secret}`)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('is used when other keys have changed, and is not repeated', async () => {
    const { authentication, keys, accountId, apiKey, secret, check, deliver, lookups } = await lookUp();
    const { apiKey: other } = await keys.create(accountId, { label: 'y', scope: 'read-only' });
    await keys.revoke(accountId, other.id);
    // A request that comes now shares the lookup.
    const shared = authentication.ofHeader(`Bearer ${secret}`);
    deliver();
    for (const caller of [await check, await shared, await authentication.ofHeader(`Bearer ${secret}`)]) {
      expect(caller).toMatchObject({ kind: 'key', accountId, keyId: apiKey.uuid });
    }
    expect(lookups()).toBe(1);
  });
});
