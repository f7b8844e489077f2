import pg from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrate } from '../../src/platform/db/migrate.js';
import { inMigrationBatches } from '../../src/platform/db/migrating/in-batches.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

const ROWS = 2_000;
const FILL = `UPDATE things SET more = id WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM things WHERE more IS NULL LIMIT $1 FOR UPDATE))`;

describe('a long migration', () => {
  let database: TestDatabase;
  let db: pg.Client;
  let batches: number;

  beforeEach(async () => {
    database = await createTestDatabase();
    db = new pg.Client(database.url);
    await db.connect();
    await db.query(`CREATE TABLE things (id integer PRIMARY KEY, more integer)`);
    await db.query(`INSERT INTO things SELECT n FROM generate_series(1, ${ROWS}) n`);
    batches = 0;
  });
  afterEach(async () => {
    await db.end();
    await database.drop();
  });

  function migrated(up: (runner: QueryRunner) => Promise<unknown>, signal?: AbortSignal): Promise<void> {
    class Fills1999999999999 implements MigrationInterface {
      name = 'Fills1999999999999';
      transaction = false;
      async up(runner: QueryRunner): Promise<void> {
        await up(runner);
      }
      down(): Promise<void> {
        throw new Error('not run here');
      }
    }
    return migrate({ url: database.url, migrations: [Fills1999999999999], signal });
  }
  const filling = async (runner: QueryRunner, each: () => Promise<void> | void = () => undefined) => {
    const query = runner.query.bind(runner);
    runner.query = (async (text: string, values?: unknown[], isWhole?: true) => {
      batches += 1;
      const result = await (isWhole === true ? query(text, values, true) : query(text, values));
      await each();
      return result;
    }) as typeof runner.query;
    await inMigrationBatches(runner, FILL, 100);
  };
  const count = async (where: string) =>
    Number((await db.query<{ count: string }>(`SELECT count(*) FROM things WHERE ${where}`)).rows[0]!.count);
  const isRecorded = async () =>
    (await db.query(`SELECT 1 FROM migrations WHERE name = 'Fills1999999999999'`)).rowCount === 1;

  it('works in batches, and commits each', async () => {
    const filled: number[] = [];
    await migrated((runner) => filling(runner, async () => void filled.push(await count('more IS NOT NULL'))));
    expect(filled.slice(0, 3)).toEqual([100, 200, 300]);
    expect([batches >= ROWS / 100, await count('more IS DISTINCT FROM id'), await isRecorded()]).toEqual([
      true,
      0,
      true,
    ]);
  });

  it('keeps what is done when a stop interrupts it, and goes on at the next start', async () => {
    const stop = new AbortController();
    const stopped = migrated(
      (runner) =>
        filling(runner, () => {
          if (batches === 3) stop.abort(new Error('stopped by SIGTERM'));
        }),
      stop.signal,
    );
    await expect(stopped).rejects.toThrow('stopped by SIGTERM');
    expect([await count('more IS NOT NULL'), await isRecorded()]).toEqual([300, false]);
    batches = 0;
    await migrated(filling);
    expect([await count('more IS NULL'), await isRecorded()]).toEqual([0, true]);
    expect(batches).toBeLessThan(20);
  });

  it('ends in the middle of a statement when a stop interrupts it', async () => {
    const stop = new AbortController();
    const stopped = migrated((runner) => runner.query(`SELECT pg_sleep(3600)`), stop.signal);
    stopped.catch(() => undefined);
    const runs = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(3600)%' AND state = 'active'`;
    await until(async () => (await db.query(runs)).rowCount === 1);
    stop.abort(new Error('stopped by SIGTERM'));
    await expect(stopped).rejects.toThrow('stopped by SIGTERM');
    expect([(await db.query(runs)).rowCount, await isRecorded()]).toEqual([0, false]);
  });

  it('lets others write the rows that it has not reached', async () => {
    const writer = new pg.Client(database.url);
    await writer.connect();
    try {
      await writer.query(`SET lock_timeout = '1s'; BEGIN`);
      await migrated((runner) =>
        filling(runner, async () => {
          if (batches === 2) await writer.query(`UPDATE things SET id = -id WHERE id = ${ROWS}; COMMIT`);
        }),
      );
    } finally {
      await writer.end();
    }
    expect([await count('more IS NULL'), await count('more < 0')]).toEqual([0, 1]);
  });
});
