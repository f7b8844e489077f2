import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { PgBouncer } from './support/pgbouncer.js';

const PATIENCE_MS = 2_000;

describe('a statement that runs too long behind a transaction pooler', () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let db: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    bouncer = await PgBouncer.start(database.url, { pool_mode: 'transaction' });
    const url = bouncer.urlOf(database.url);
    const source = createDataSource({ url, poolSize: 3, patience: PATIENCE_MS, isPooled: true }, []);
    db = new Database(await source.initialize(), PATIENCE_MS, { isPooled: true, isPrepared: false });
  });
  afterAll(async () => {
    await db.source.destroy();
    await bouncer.close();
    await database.drop();
  });

  const sleepers = async () =>
    db.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(600)'
      AND state = 'active'`);

  it('is canceled on the server, and the next one works', async () => {
    await expect(db.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' });
    await until(async () => (await sleepers()).length === 0);
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is canceled in a transaction too, whose limits end with it', async () => {
    const failed = db.transaction((tx) => tx.query('SELECT pg_sleep(600)'));
    await expect(failed).rejects.toMatchObject({ code: '57014' });
    await until(async () => (await sleepers()).length === 0);
    const limits = () => db.query(`SELECT current_setting('statement_timeout') AS is`);
    expect(await Promise.all(Array.from({ length: 6 }, limits))).toEqual(Array(6).fill([{ is: '0' }]));
  });
});
