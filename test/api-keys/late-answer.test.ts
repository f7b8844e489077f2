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
function slowly(db: Database): { db: Database; deliver: () => void } {
  const gate = Promise.withResolvers<null>();
  const query: Database['query'] = async (text, values) => {
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
  };
}

describe('a lookup that was in flight while its key was revoked', () => {
  it('is not used', async () => {
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
    await keys.revoke(accountId, apiKey.id);
    slow.deliver();

    await expect(check).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(authentication.ofHeader(`Bearer ${secret}`)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
