import pg from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrate } from '../../src/platform/db/migrate.js';
import { migrations } from '../../src/platform/db/migrations/index.js';
import { setSchemaMinimum } from '../../src/platform/db/migrating/schema-minimum.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';

const LAST = migrations.at(-1)!.name;

/** A migration that contracts, of a later version. */
function contracting(migration: string, version: string) {
  return class Contracts1999999999999 implements MigrationInterface {
    name = 'Contracts1999999999999';
    async up(runner: QueryRunner): Promise<void> {
      await setSchemaMinimum(runner, { migration, version });
    }
    down(): Promise<void> {
      throw new Error('not run here');
    }
  };
}

describe('the minimum of a schema', () => {
  let database: TestDatabase;
  let db: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    db = new pg.Client(database.url);
    await db.connect();
  });
  afterEach(async () => {
    await db.end();
    await database.drop();
  });

  const migrateTo = (migration: string, version: string) =>
    migrate({ url: database.url, migrations: [...migrations, contracting(migration, version)] });
  const start = async (processes: number) =>
    ServiceProcess.start({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      PORT: String(await freePort()),
      PROCESSES: String(processes),
    });

  it('lets the version before go on with a schema that was only extended', async () => {
    await migrateTo(LAST, '0.1.0');
    await migrate({ url: database.url, migrations });
    const service = await start(1);
    expect(await service.stop()).toBe(0);
  });

  it.each([1, 2])(
    'ends the start of an older version with status 78 and a plain line (%d processes)',
    async (count) => {
      await expect(migrate({ url: database.url, migrations: migrations.slice(0, -1) })).resolves.toBeUndefined();
      await db.query(`INSERT INTO schema_minimum (migration, version) VALUES ('DropsOldTables1899999999999', '7.2.0')`);
      const { rows: before } = await db.query('SELECT name FROM migrations');
      const error = (await start(count).catch((reason: unknown) => reason)) as Error;
      expect(error.message).toMatch(/^The service ended with 78:\n/);
      const plain = error.message.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      expect(plain.slice(1)).toEqual([
        expect.stringMatching(/^The schema of the database needs version 7\.2\.0 of the service or a newer one, .*\.$/),
      ]);
      expect((await db.query('SELECT name FROM migrations')).rows).toEqual(before);
    },
  );

  it('is checked before a migration runs, and set together with the migration', async () => {
    await migrateTo('DropsOldTables1899999999999', '7.2.0');
    await db.query(`DELETE FROM migrations WHERE name = $1`, [LAST]);
    await expect(migrate({ url: database.url, migrations })).rejects.toThrow('needs version 7.2.0');
    expect((await db.query('SELECT 1 FROM migrations WHERE name = $1', [LAST])).rowCount).toBe(0);
  });
});
