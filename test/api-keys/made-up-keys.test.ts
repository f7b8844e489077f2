import { Authentication } from '../../src/features/authentication/authentication.js';
import { newKeyText, newSessionText } from '../../src/features/api-keys/key-text.js';
import { LastUses } from '../../src/features/api-keys/last-uses.js';
import { systemClock } from '../../src/platform/clock.js';
import { type Database } from '../../src/platform/db/database.js';
import { ConnectSessions } from '../../src/features/integrations/connect/connect-session.service.js';
import { sha256 } from '../../src/platform/encryption/secrets.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { startTestServer, type TestServer } from '../support/server.js';

const logger = createLogger('silent');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

/** The same database, with a count of the statements about keys, and of the concurrent ones. */
function counting(db: Database) {
  const seen = { statements: 0, underWay: 0, most: 0 };
  const counted = async <T>(text: string, work: () => Promise<T>): Promise<T> => {
    if (!text.startsWith('SELECT')) return work();
    seen.statements += 1;
    seen.underWay += 1;
    seen.most = Math.max(seen.most, seen.underWay);
    return work().finally(() => (seen.underWay -= 1));
  };
  const query: Database['query'] = (text, values) => counted(text, () => db.query<never>(text, values));
  const select: Database['select'] = (entity, text, values) => counted(text, () => db.select(entity, text, values));
  return { db: Object.assign(Object.create(db) as Database, { query, select }), seen };
}

describe('made-up keys with a right checksum', () => {
  it('share at most two concurrent statements, and a valid key among them is not refused', async () => {
    const { db, seen } = counting(server.db);
    const none = { callerOf: () => Promise.resolve(undefined), tokenOf: () => undefined };
    const notifications = new Notifications(server.database.url, logger);
    const authentication = new Authentication(db, systemClock, logger, notifications, none, none);
    const valid = await server.key();
    const keys = [...Array.from({ length: 500 }, newKeyText), valid];
    const known = await Promise.all(
      keys.map((key) =>
        authentication.ofHeader(`Bearer ${key}`).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(known).toEqual(keys.map((key) => key === valid));
    // A hundred of them each.
    expect([seen.statements, seen.most]).toEqual([6, 2]);
  });

  it('share statements if they are tokens of connect sessions, too', async () => {
    const { db, seen } = counting(server.db);
    const its = { db, clock: systemClock, apps: undefined as never, returnOrigins: new Set<string>(), baseUrl: '' };
    const sessions = new ConnectSessions(its);
    const callers = await Promise.all(Array.from({ length: 500 }, () => sessions.callerOf(sha256(newSessionText()))));
    expect(new Set(callers)).toEqual(new Set([undefined]));
    expect([seen.statements, seen.most]).toEqual([5, 2]);
  });
});

describe('the memory of the last uses of keys', () => {
  it('covers one minute', async () => {
    let now = 1_000_000;
    const { db } = counting(server.db);
    const uses = new LastUses(
      Object.assign(db, { query: () => Promise.resolve([]) }),
      { now: () => new Date(now) },
      logger,
    );
    for (let n = 0; n < 1_000; n += 1) uses.note(`key ${n}`);
    now += 59_999;
    uses.note('one more');
    expect(uses.size).toBe(1_001);
    now += 1;
    uses.note('another');
    expect(uses.size).toBe(2);
  });
});
