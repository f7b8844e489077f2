import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { defineTopic, Notifications } from '../../src/platform/notifications/notifications.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

const topic = defineTopic<string>('test_words');

describe('a published notification', () => {
  let test: TestDatabase;
  let db: Database;
  /** Not started: it receives nothing from the database, only what its own process publishes. */
  let notifications: Notifications;
  let received: string[];

  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 2 }, []));
    await db.source.initialize();
  });
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });
  beforeEach(() => {
    received = [];
    notifications = new Notifications(test.url, createLogger('silent'));
    notifications.on(topic, (word) => received.push(word));
  });

  it('reaches its own process right after the commit', async () => {
    const during = await db.transaction(async (tx) => {
      notifications.publish(tx, topic, 'a');
      notifications.publish(tx, topic, 'b');
      return [...received];
    });
    expect([during, received]).toEqual([[], ['a', 'b']]);
  });

  it('reaches nothing after a rollback', async () => {
    const failed = db.transaction(async (tx) => {
      notifications.publish(tx, topic, 'a');
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(received).toEqual([]);
  });

  it('waits for the commit of the unit of work around its transaction', async () => {
    const seen: string[][] = [];
    await db.unitOfWork(
      async () => {
        await db.transaction(async (tx) => notifications.publish(tx, topic, 'a'));
        seen.push([...received]);
      },
      async () => void seen.push([...received]),
    );
    expect([seen, received]).toEqual([[[], []], ['a']]);
  });

  it('is sent once when the transaction is run again after a deadlock', async () => {
    let attempts = 0;
    await db.transaction(async (tx) => {
      notifications.publish(tx, topic, `attempt ${(attempts += 1)}`);
      if (attempts === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    });
    expect(received).toEqual(['attempt 2']);
  });
});
