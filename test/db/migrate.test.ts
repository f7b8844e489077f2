import pg from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../../src/platform/db/concurrent-index.js';
import { ADVISORY_LOCKS } from '../../src/platform/db/advisory-locks.js';
import { migrate } from '../../src/platform/db/migrate.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

/** A migration of this test, under a name that TypeORM can read a time from. */
function migrationOf(up: (runner: QueryRunner) => Promise<unknown>, transaction?: boolean) {
  return class Made1999999999999 implements MigrationInterface {
    name = 'Made1999999999999';
    transaction = transaction as boolean;
    async up(runner: QueryRunner): Promise<void> {
      await up(runner);
    }
    down(): Promise<void> {
      throw new Error('not run here');
    }
  };
}

describe('migrate', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let other: pg.Client;
  let lines: string[];
  const log = (line: string) => void lines.push(line);

  beforeEach(async () => {
    database = await createTestDatabase();
    [client, other] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([client.connect(), other.connect()]);
    lines = [];
    await client.query(`CREATE TABLE things (id integer)`);
  });
  afterEach(async () => {
    await Promise.all([client.end(), other.end()]);
    await database.drop();
  });

  const run = (
    up: (runner: QueryRunner) => Promise<unknown>,
    options: { transaction?: boolean; signal?: AbortSignal } = {},
  ) => migrate({ url: database.url, migrations: [migrationOf(up, options.transaction)], log, signal: options.signal });
  const recorded = async () =>
    (await client.query(`SELECT 1 FROM migrations WHERE name = 'Made1999999999999'`)).rowCount;

  it('runs statements without a time limit, whatever the role or the database sets', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await client.query(`ALTER DATABASE ${name} SET statement_timeout = '50ms'`);
    const limits: unknown[] = [];
    await run(async (runner) => {
      limits.push(await runner.query(`SHOW statement_timeout`), await runner.query(`SHOW lock_timeout`));
      limits.push(await runner.query(`SHOW idle_in_transaction_session_timeout`));
      await runner.query(`SELECT pg_sleep(0.2)`);
    });
    await client.query(`ALTER DATABASE ${name} RESET statement_timeout`);
    expect(limits).toEqual([
      [{ statement_timeout: '0' }],
      [{ lock_timeout: '2s' }],
      [{ idle_in_transaction_session_timeout: '0' }],
    ]);
    expect(await recorded()).toBe(1);
  });

  it('retries when another session holds a lock, and lets other sessions through in between', async () => {
    await other.query(`BEGIN; SELECT * FROM things`);
    const migrated = run((runner) => runner.query(`ALTER TABLE things ADD COLUMN more text`));
    await until(() => lines.length === 1);
    // The failed ALTER TABLE no longer blocks readers.
    await client.query(`SELECT * FROM things`);
    expect(await recorded()).toBe(0);
    await other.query(`COMMIT`);
    await migrated;
    expect(lines[0]).toContain('trying again');
    expect(await recorded()).toBe(1);
    await client.query(`SELECT more FROM things`);
  });

  it('fails at once and does nothing after an error that a retry cannot fix', async () => {
    const faulty = run(async (runner) => {
      await runner.query(`ALTER TABLE things ADD COLUMN more text`);
      await runner.query(`ALTER TABLE nothings ADD COLUMN more text`);
    });
    await expect(faulty).rejects.toThrow('relation "nothings" does not exist');
    expect([await recorded(), lines]).toEqual([0, []]);
    await expect(client.query(`SELECT more FROM things`)).rejects.toThrow('column "more" does not exist');
  });

  it('is done by one of two processes, also where an index is built concurrently', async () => {
    await other.query(`BEGIN; INSERT INTO things VALUES (1)`);
    let ups = 0;
    const up = (runner: QueryRunner) => {
      ups += 1;
      return createIndexConcurrently(runner, { name: 'things_by_id', table: 'things', on: '(id)' });
    };
    const both = Promise.all([run(up, { transaction: false }), run(up, { transaction: false })]);
    // One process builds and waits for the transaction above, the other waits for the first.
    await until(() => lines.length === 1);
    await other.query(`COMMIT`);
    await both;
    expect(ups).toBe(1);
    expect(lines).toEqual([expect.stringContaining('another process')]);
    expect(await recorded()).toBe(1);
  });

  it('aborts a wait when the process stops', async () => {
    await other.query(`SELECT pg_advisory_lock($1)`, [ADVISORY_LOCKS.migrations]);
    const stop = new AbortController();
    const stopped = run(async () => undefined, { signal: stop.signal });
    stopped.catch(() => undefined);
    await until(() => lines.length === 1);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(await recorded()).toBe(0);
  });
});
