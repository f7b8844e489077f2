import { AccountService } from '../../src/features/accounts/account.service.js';
import { IntegrationStatusChange } from '../../src/features/integrations/changes/integration-change.entity.js';
import { ChangeFeed } from '../../src/platform/changes/change-feed.js';
import { ChangeLog } from '../../src/platform/changes/change-log.js';
import { courseOfAccount, followChanges } from '../../src/platform/changes/follow-changes.js';
import { latestChange, positionOf } from '../../src/platform/changes/latest-change.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { newUuid, toPublicId } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { defineTopic, Notifications } from '../../src/platform/notifications/notifications.js';
import { entities } from '../../src/process/entities.js';
import { TestClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

const DAY_MS = 86_400_000;
const topic = defineTopic<{ accountId: string; position: number }>('counted_elsewhere');

/** Changes of integrations, counted in a table of their own, in which an account has no row before its first change. */
const log = new ChangeLog({
  entity: IntegrationStatusChange,
  table: 'integration_changes',
  counter: { table: 'counters', key: 'account_id', column: 'last' },
  topic,
});

describe('A change log whose counter has no row before the first change', () => {
  const clock = new TestClock();
  let database: TestDatabase;
  let db: Database;
  let notifications: Notifications;
  let feed: ChangeFeed<IntegrationStatusChange>;
  let accountId: string;
  let integration: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const source = createDataSource({ url: database.url, poolSize: 5 }, entities);
    await source.initialize();
    db = new Database(source);
    await db.query('CREATE TABLE counters (account_id uuid PRIMARY KEY, last bigint NOT NULL)');
  });
  beforeEach(async () => {
    const logger = createLogger('silent');
    // Never started: the tests notify by themselves.
    notifications = new Notifications(database.url, logger);
    feed = new ChangeFeed(log, db, notifications, logger);
    accountId = await account();
    integration = newUuid(clock.now());
    await db.query(
      `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
                                 events_token, events_secret, created_at)
       VALUES ($1, $2, 'x', 'api_key', 'x', 'connected', 1, '{}', $3, '', '', now())`,
      [integration, accountId, Buffer.from(integration)],
    );
  });
  afterEach(() => feed.stop());
  afterAll(async () => {
    await db.source.destroy();
    await database.drop();
  });

  it('begins at 0, and streams the first change and those behind it', async () => {
    const changes = await follow();
    await commit();
    await commit();
    notifications.notifyLocally(topic, { accountId, position: 2 });
    expect([await next(changes), await next(changes)]).toEqual([1, 2]);
    await changes.return?.();
    expect(feed.listeners).toBe(0);
  });

  it('finds the first change without a notification', async () => {
    const changes = await follow();
    await commit();
    (notifications as unknown as { resyncHandlers: Set<() => void> }).resyncHandlers.forEach((handler) => handler());
    expect(await next(changes)).toBe(1);
    await changes.return?.();
  });

  it('gives an id that resumes before the first change', async () => {
    const none = await latestChange(log, db, accountId);
    expect(await positionOf(log, db, accountId, none)).toBe(0);
    const first = await commit();
    expect(await positionOf(log, db, accountId, none)).toBe(0);
    expect(await latestChange(log, db, accountId)).toBe(first);
    expect(await positionOf(log, db, accountId, first)).toBe(1);
    const missed = await follow(none);
    expect(await next(missed)).toBe(1);
    await missed.return?.();
  });

  it('resumes behind an old change by its position, while later ones are young', async () => {
    await commit(31 * DAY_MS);
    const old = await latestChange(log, db, accountId);
    expect(await positionOf(log, db, accountId, old)).toBe(1);
    await commit();
    expect(await positionOf(log, db, accountId, old)).toBe(1);
  });

  it('refuses the id of a position whose next change is old, or that is not reached', async () => {
    const none = await latestChange(log, db, accountId);
    await commit(31 * DAY_MS);
    await expect(positionOf(log, db, accountId, none)).rejects.toMatchObject({ code: 'not_found' });
    const ahead = toPublicId('chg', '00000000-0000-0000-0000-000000000002');
    await expect(positionOf(log, db, accountId, ahead)).rejects.toMatchObject({ code: 'not_found' });
  });

  it("refuses another account's change", async () => {
    const id = await commit();
    await expect(positionOf(log, db, await account(), id)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('detaches the listener when its course cannot be planned', async () => {
    const fails = followChanges(feed, { accountId, onSlowReader: () => undefined }, () =>
      Promise.reject(new Error('no course')),
    );
    await expect(fails).rejects.toThrow('no course');
    expect(feed.listeners).toBe(0);
  });

  function follow(after?: string): Promise<AsyncIterableIterator<IntegrationStatusChange>> {
    return followChanges(feed, { accountId, onSlowReader: () => undefined }, async (position) => {
      const cursor = after === undefined ? position : await positionOf(log, db, accountId, after);
      return courseOfAccount(log, db, accountId, cursor);
    });
  }

  async function next(changes: AsyncIterableIterator<IntegrationStatusChange>): Promise<number> {
    return ((await changes.next()) as IteratorYieldResult<IntegrationStatusChange>).value.position;
  }

  async function account(): Promise<string> {
    return new AccountService(db, clock).findOrCreate(db, `account ${newUuid(clock.now())}`);
  }

  /** Commits the next change, of so many milliseconds ago. @returns its public id. */
  async function commit(ageMs = 0): Promise<string> {
    const uuid = newUuid(clock.now());
    await db.query(
      `WITH n AS (INSERT INTO counters VALUES ($2, 1) ON CONFLICT (account_id) DO UPDATE SET last = counters.last + 1
                  RETURNING last)
       INSERT INTO integration_changes (id, account_id, integration_id, position, version, previous_status, status, reason, at)
       SELECT $1, $2, $3, last, last, 'connected', 'connected', 'reconnected', clock_now() - $4 * interval '1 ms' FROM n`,
      [uuid, accountId, integration, ageMs],
    );
    return toPublicId('chg', uuid);
  }
});
