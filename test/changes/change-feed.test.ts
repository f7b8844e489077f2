import { AccountService } from '../../src/features/accounts/account.service.js';
import { type EntityClass } from '../../src/platform/db/columns.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { entities } from '../../src/process/entities.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { ChangeFeed } from '../../src/platform/changes/change-feed.js';
import { integrationChanges } from '../../src/features/integrations/changes/integration-changes.js';
import { type IntegrationStatusChange } from '../../src/features/integrations/changes/integration-change.entity.js';
import { integrationChanged } from '../../src/features/integrations/changes/integration.events.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { TestClock } from '../support/clock.js';
import { until } from '../support/until.js';

/** The real database, whose next read of changes can be held back or fail. */
class HeldDatabase extends Database {
  hold: Promise<void> | undefined;
  failure: Error | undefined;
  reads = 0;
  answered = 0;

  override async select<T extends object>(
    entity: EntityClass<T>,
    text: string,
    values?: readonly unknown[],
  ): Promise<T[]> {
    this.reads += 1;
    try {
      const rows = await super.select(entity, text, values);
      await this.hold;
      if (this.failure) throw this.failure;
      return rows;
    } finally {
      this.answered += 1;
    }
  }
}

describe('ChangeFeed', () => {
  let database: TestDatabase;
  let db: HeldDatabase;
  let notifications: Notifications;
  let feed: ChangeFeed<IntegrationStatusChange>;
  let accountId: string;
  let integration: string;
  const logs: string[] = [];
  const clock = new TestClock();

  beforeAll(async () => {
    database = await createTestDatabase();
    const source = createDataSource({ url: database.url, poolSize: 5 }, entities);
    await source.initialize();
    db = new HeldDatabase(source);
  });
  beforeEach(async () => {
    const logger = createLogger('debug', { write: (line: string) => void logs.push(line) });
    // Never started: the tests say themselves what is heard, and when.
    notifications = new Notifications(database.url, logger);
    feed = new ChangeFeed(integrationChanges, db, notifications, logger);
    accountId = await new AccountService(db, clock).findOrCreate(db, `account ${newUuid(clock.now())}`);
    integration = await insertIntegration();
    [db.hold, db.failure, db.reads, db.answered] = [undefined, undefined, 0, 0];
  });
  afterEach(() => feed.stop());
  afterAll(async () => {
    await db.source.destroy();
    await database.drop();
  });

  it('gives each change that commits after listen(), in order, and where it began', async () => {
    await commit(2);
    const { heard, position } = await listener();
    expect(position).toBe(2);
    await commit(3);
    tell(5);
    await until(() => heard.length === 3);
    expect(heard).toEqual([3, 4, 5]);
  });

  it('delivers a change once, however often and in whatever order it is notified', async () => {
    const { heard } = await listener();
    await commit(3);
    for (const position of [2, 3, 1, 3]) tell(position);
    await until(() => heard.length === 3);
    tell(3);
    tell(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toEqual([1, 2, 3]);
    expect(db.reads).toBeLessThanOrEqual(3);
  });

  it('receives a change that is notified during the last read', async () => {
    const { heard } = await listener();
    await commit(1);
    const release = holdReads();
    tell(1);
    await until(() => db.reads > 1);
    // Committed after that read has seen the table.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await commit(1);
    tell(2);
    release();
    await until(() => heard.length === 2);
    expect(heard).toEqual([1, 2]);
  });

  it('receives a change that is notified while the first position is read', async () => {
    const listening = listener();
    await commit(1);
    tell(1);
    const { heard, position } = await listening;
    if (position === 0) await until(() => heard.length === 1);
    expect([...heard, position].includes(1)).toBe(true);
  });

  it('continues to read after an error, and loses nothing', async () => {
    const { heard } = await listener();
    await commit(2);
    db.failure = new Error('gone');
    tell(2);
    await until(() => db.answered > 1);
    db.failure = undefined;
    await until(() => heard.length === 2);
    expect(heard).toEqual([1, 2]);
    expect(logs.join('')).toContain('changes could not be read');
  });

  it('reads the table when notifications may have been missed', async () => {
    const { heard } = await listener();
    await commit(600);
    const resync = notifications as unknown as { resyncHandlers: Set<() => void> };
    const before = db.statements;
    resync.resyncHandlers.forEach((handler) => handler());
    await until(() => heard.length === 600);
    expect(heard).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
    expect(db.statements - before).toBeLessThanOrEqual(4);
  });

  it('runs one query for all accounts with listeners', async () => {
    const [first, second] = [accountId, await new AccountService(db, clock).findOrCreate(db, 'second')];
    await feed.listen(first, () => undefined);
    await feed.listen(second, () => undefined);
    await until(() => db.reads >= 2);
    const before = db.statements;
    (notifications as unknown as { resyncHandlers: Set<() => void> }).resyncHandlers.forEach((handler) => handler());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(db.statements - before).toBe(1);
  });

  it('gives a listener that comes late what follows, and the others nothing twice', async () => {
    const early = await listener();
    await commit(1);
    tell(1);
    await until(() => early.heard.length === 1);
    const late = await listener();
    expect(late.position).toBe(1);
    await commit(1);
    tell(2);
    await until(() => late.heard.length === 1);
    expect([early.heard, late.heard]).toEqual([[1, 2], [2]]);
  });

  it('yields to the event loop while it notifies a thousand: later changes arrive in order, once each', async () => {
    const told: number[] = [];
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    await feed.listen(accountId, () => void setImmediate(resolve));
    for (let number = 0; number < 1_000; number += 1) {
      await feed.listen(accountId, ({ position }) => void told.push(position));
    }
    await commit(1);
    tell(1);
    await turn;
    const toldByThen = told.length;
    const late: number[] = [];
    const { position } = await feed.listen(accountId, (change) => void late.push(change.position));
    await commit(1);
    tell(2);
    await until(() => told.length === 2_000);
    expect(toldByThen).toBeLessThan(1_000);
    expect(told).toEqual([...Array<number>(1_000).fill(1), ...Array<number>(1_000).fill(2)]);
    await until(() => late.length === 1);
    expect([position, late]).toEqual([1, [2]]);
  });

  it('gives the others a change at which one listener throws', async () => {
    await feed.listen(accountId, () => {
      throw new Error('mine alone');
    });
    const { heard } = await listener();
    await commit(2);
    tell(2);
    await until(() => heard.length === 2);
    expect(logs.join('')).toContain('mine alone');
  });

  it('forgets a listener that is detached, twice too, and the account with the last', async () => {
    const [one, two] = [await listener(), await listener()];
    expect(feed.listeners).toBe(2);
    one.detach();
    one.detach();
    expect(feed.listeners).toBe(1);
    await commit(1);
    tell(1);
    await until(() => two.heard.length === 1);
    two.detach();
    expect([feed.listeners, one.heard]).toEqual([0, []]);
    const reads = db.reads;
    tell(99);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(db.reads).toBe(reads);
  });

  it('leaves nothing behind when listen() fails, for any that came together', async () => {
    const broken = new ChangeFeed(
      integrationChanges,
      new Database({ options: {}, driver: { master: { query: failing } } } as never),
      notifications,
      createLogger('silent'),
    );
    const tries = await Promise.allSettled([1, 2, 3].map(() => broken.listen(accountId, () => undefined)));
    expect(tries.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(broken.listeners).toBe(0);
    broken.stop();
  });

  /** Listens, and waits until the first look at the table is over. */
  async function listener(): Promise<{ heard: number[]; position: number; detach: () => void }> {
    const heard: number[] = [];
    const listening = await feed.listen(accountId, ({ position }) => void heard.push(position));
    await until(() => db.reads > 0 && db.answered === db.reads);
    return { heard, ...listening };
  }

  function tell(position: number): void {
    notifications.notifyLocally(integrationChanged, { accountId, position });
  }

  function holdReads(): () => void {
    let release = (): void => undefined;
    db.hold = new Promise((resolve) => (release = resolve));
    return release;
  }

  /** Changes as rows only, without a notification. */
  async function commit(count: number): Promise<void> {
    await db.query(
      `WITH a AS (UPDATE accounts SET change_position = change_position + $2 WHERE id = $1 RETURNING change_position)
       INSERT INTO integration_changes (id, account_id, integration_id, position, version, previous_status, status, reason, at)
       SELECT gen_random_uuid(), $1, $3, n, n, 'connected', 'connected', 'reconnected', now()
       FROM a, generate_series(change_position - $2 + 1, change_position) n`,
      [accountId, count, integration],
    );
  }

  async function insertIntegration(): Promise<string> {
    const uuid = newUuid(clock.now());
    await db.query(
      `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
                                 events_token, events_secret, created_at)
       VALUES ($1, $2, 'x', 'api_key', 'x', 'connected', 1, '{}', $3, '', '', now())`,
      [uuid, accountId, Buffer.from(uuid)],
    );
    return uuid;
  }
});

async function failing(): Promise<never> {
  throw new Error('gone');
}
