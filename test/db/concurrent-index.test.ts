import pg from 'pg';
import { type DataSource, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../src/platform/db/concurrent-index.js';
import { createMigrationSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { ensurePartitions } from '../../src/platform/partitions/weekly-partitions.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

const WEEK_MS = 7 * 86_400_000;

describe('createIndexConcurrently', () => {
  let database: TestDatabase;
  let source: DataSource;
  let runner: QueryRunner;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    source = await createMigrationSource(database.url, []).initialize();
    runner = source.createQueryRunner();
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterEach(async () => {
    await runner.release();
    await client.end();
    await source.destroy();
    await database.drop();
  });

  const partitions = () => ensurePartitions(new Database(source), new Date());
  const later = () => ensurePartitions(new Database(source), new Date(Date.now() + 8 * WEEK_MS));
  const runsIndex = { name: 'runs_by_version', table: 'runs', on: '(version)' };

  /** For each partition and the parent: whether it has a valid index on `version`. */
  async function validity(): Promise<boolean[]> {
    const { rows } = await client.query<{ valid: boolean | null }>(
      `SELECT bool_and(x.indisvalid) AS valid FROM pg_class c LEFT JOIN pg_index x ON x.indrelid = c.oid
         AND pg_get_indexdef(x.indexrelid) LIKE '%(version)'
       WHERE c.oid = 'runs'::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'runs'::regclass)
       GROUP BY c.oid`,
    );
    return rows.map(({ valid }) => valid === true);
  }

  it('indexes each partition, and partitions created later', async () => {
    await source.query(`SELECT 1`);
    await runner.release();
    await partitions();
    runner = source.createQueryRunner();
    await createIndexConcurrently(runner, runsIndex);
    expect(await validity()).toEqual(Array.from({ length: 12 }, () => true));
    await runner.release();
    await later();
    runner = source.createQueryRunner();
    expect(await validity()).toEqual(Array.from({ length: 20 }, () => true));
    // A second call has nothing to do.
    await createIndexConcurrently(runner, runsIndex);
  });

  it('continues after an earlier attempt died', async () => {
    await runner.release();
    await partitions();
    runner = source.createQueryRunner();
    const [{ name }] = (await runner.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'runs'::regclass ORDER BY 1 LIMIT 1`,
    )) as [{ name: string }];
    const part = name.replace('runs', 'runs_by_version');
    await runner.query(`CREATE INDEX runs_by_version ON ONLY runs (version)`);
    await client.query(`BEGIN; LOCK TABLE ${name} IN ROW EXCLUSIVE MODE`);
    await runner.query(`SET lock_timeout = '50ms'`);
    await expect(runner.query(`CREATE INDEX CONCURRENTLY ${part} ON ${name} (version)`)).rejects.toThrow(
      'lock timeout',
    );
    await client.query(`COMMIT`);
    expect(new Set(await validity())).toEqual(new Set([false]));
    await createIndexConcurrently(runner, runsIndex);
    expect(new Set(await validity())).toEqual(new Set([true]));
  });

  it('replaces an invalid index of a plain table', async () => {
    await client.query(`CREATE TABLE things (id integer); INSERT INTO things VALUES (1), (1)`);
    const index = { name: 'things_by_id', table: 'things', on: '(id)', unique: true };
    await expect(createIndexConcurrently(runner, index)).rejects.toThrow('could not create unique index');
    await client.query(`DELETE FROM things`);
    await createIndexConcurrently(runner, index);
    const { rows } = await client.query(
      `SELECT indisvalid, indisunique FROM pg_index WHERE indrelid = 'things'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true, indisunique: true }]);
    expect(await runner.query(`SHOW lock_timeout`)).toEqual([{ lock_timeout: '2s' }]);
  });

  it('blocks no writes while it waits for older transactions', async () => {
    await client.query(`CREATE TABLE things (id integer)`);
    const writer = new pg.Client(database.url);
    await writer.connect();
    await writer.query(`BEGIN; INSERT INTO things VALUES (1)`);
    const built = createIndexConcurrently(runner, { name: 'things_by_id', table: 'things', on: '(id)' });
    const waits = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock'`;
    await until(async () => (await client.query(waits)).rowCount === 1);
    await client.query(`SET lock_timeout = '1s'; INSERT INTO things VALUES (2)`);
    await writer.query(`COMMIT`);
    await built;
    await writer.end();
  });
});
