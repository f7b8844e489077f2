import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensurePartitions } from '../../src/platform/partitions/weekly-partitions.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('the plan of a list', () => {
  it('is made for many accounts in each table whose index begins with the account, and in each partition', async () => {
    const tables = await server.db.query<{ name: string; options: string[] | null }>(
      `SELECT DISTINCT c.relname AS name, a.attoptions AS options FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped
       JOIN pg_index i ON i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indnkeyatts > 1
       WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY name`,
    );
    expect(tables.filter(({ options }) => options?.[0] !== 'n_distinct=200')).toEqual([]);
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['workflows', 'triggers', 'integrations', 'runs_default']));
    expect(names.filter((name) => /^(runs|events|audit_log)_\d{8}$/.test(name)).length).toBeGreaterThan(20);
  });

  it('is so too in a partition that an earlier version of the service created', async () => {
    const { db, clock } = server;
    const options = `SELECT attoptions AS options FROM pg_attribute
      WHERE attrelid = 'runs_default'::regclass AND attname = 'account_id'`;
    await db.query('ALTER TABLE runs_default ALTER COLUMN account_id RESET (n_distinct)');
    expect(await db.query(options)).toEqual([{ options: null }]);
    await ensurePartitions(db, clock.now());
    expect(await db.query(options)).toEqual([{ options: ['n_distinct=200'] }]);
  });

  it('reads the rows of its account only, in an installation of two accounts, one of them large', async () => {
    const { db } = server;
    const [small, large] = ['small', 'large'].map(() => crypto.randomUUID());
    for (const id of [small, large])
      await db.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, now())`, [id, id]);
    const insert = `INSERT INTO workflows (id, account_id, name, status, created_at, updated_at)
      SELECT uuidv7(interval '1 ms' * i), $1, 'x', 'draft', now(), now() FROM generate_series(1, $2::int) i`;
    await db.query(insert, [small, 30]);
    await db.query(insert, [large, 30_000]);
    await db.query('ANALYZE workflows');
    const plan = await db.transaction(async (tx) => {
      await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
      await tx.query(
        `PREPARE page (uuid, int, uuid, uuid) AS SELECT * FROM workflows
         WHERE account_id = $1 AND id < $3 AND id > $4 ORDER BY id DESC LIMIT $2`,
      );
      const [lowest, highest] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
      const rows = await tx.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, TIMING off, COSTS off) EXECUTE page ('${small}', 20, '${highest}', '${lowest}')`,
      );
      await tx.query('DEALLOCATE page');
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('workflows_by_account');
    expect(plan).not.toContain('Removed by Filter');
  });
});
