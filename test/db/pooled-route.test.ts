import { type Pool } from 'pg';
import { recognisePooler } from '../../src/platform/db/connections/recognise-pooler.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

const PATIENCE_MS = 2_000;
const LIMITS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
  current_setting('idle_in_transaction_session_timeout') AS idle`;
const SERVER_LIMITS = [{ statement: '1500ms', lock: '1s', idle: '4s' }];
const NO_LIMITS = [{ statement: '0', lock: '0', idle: '0' }];

describe('statements', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(async () => {
    await test.drop();
  });

  async function withRoute(route: { isPooled: boolean }, work: (db: Database, messages: string[]) => Promise<void>) {
    const source = createDataSource({ url: test.url, poolSize: 1, patience: PATIENCE_MS, ...route }, []);
    const db = new Database(await source.initialize(), PATIENCE_MS, route);
    const { master } = source.driver as unknown as { master: Pool };
    const messages: string[] = [];
    const client = await master.connect();
    const send = client.query.bind(client) as (...sent: unknown[]) => unknown;
    client.query = ((...sent: unknown[]) => {
      messages.push(typeof sent[0] === 'string' ? sent[0] : (sent[0] as { text: string }).text);
      return send(...sent);
    }) as typeof client.query;
    client.release();
    await work(db, messages).finally(() => source.destroy());
  }

  it('have the limits of their session without a pooler', async () => {
    await withRoute({ isPooled: false }, async (db) => {
      expect(await db.query(LIMITS)).toEqual(SERVER_LIMITS);
      expect(await db.transaction((tx) => tx.query(LIMITS))).toEqual(SERVER_LIMITS);
    });
  });

  it('have limits in transactions alone behind a pooler, which leave nothing behind', async () => {
    await withRoute({ isPooled: true }, async (db) => {
      expect(await db.transaction((tx) => tx.query(LIMITS))).toEqual(SERVER_LIMITS);
      expect(await db.query(LIMITS)).toEqual(NO_LIMITS);
      await expect(db.transaction((tx) => tx.query('SELECT 1/0'))).rejects.toThrow('division by zero');
      expect(await db.query(LIMITS)).toEqual(NO_LIMITS);
    });
  });

  it.each([false, true])('of a transaction are as many round trips with a pooler as without (%s)', async (isPooled) => {
    await withRoute({ isPooled }, async (db, messages) => {
      await db.transaction((tx) => tx.query('SELECT 1'));
      expect(messages.map((text) => text.split(/[ ;]/)[0])).toEqual(['START', 'SELECT', 'COMMIT']);
    });
  });

  it('outside a transaction are canceled on the server by the client behind a pooler', async () => {
    await withRoute({ isPooled: true }, async (db) => {
      await expect(db.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' });
      const asleep = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(600)'`;
      expect(await db.query(asleep)).toEqual([]);
    });
  });

  it('of TypeORM save in the same transaction behind a pooler', async () => {
    await withRoute({ isPooled: true }, async (db, messages) => {
      await db.transaction(async (tx) => {
        await tx.manager.transaction((inner) => inner.query('SELECT 2'));
      });
      expect(messages.map((text) => text.split(/[ ;]/)[0])).toEqual([
        'START',
        'SAVEPOINT',
        'SELECT',
        'RELEASE',
        'COMMIT',
      ]);
    });
  });

  it('reach PostgreSQL itself in the eyes of the start', async () => {
    expect(await recognisePooler(test.url)).toBeUndefined();
  });
});
