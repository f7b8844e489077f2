import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Manifest, parseManifest, writeManifest } from '../../src/platform/backup/manifest.js';
import { createStartedDatabase, type TestDatabase } from '../support/database/database.js';
import { scratchFolder } from '../support/scratch.js';
import { gateway, spawnGateway } from '../support/shell-command.js';
import { emptyTarget, type EmptyTarget } from './support/empty-target.js';
import { until } from '../support/until.js';

const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64');

describe('a restore', () => {
  const folder = scratchFolder();
  const whole = join(folder, 'whole');
  let database: TestDatabase;
  let target: EmptyTarget;
  let env: Record<string, string>;

  beforeAll(async () => {
    [database, target] = [await createStartedDatabase(), await emptyTarget()];
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY };
    const { status } = await gateway(env, 'backup', whole);
    expect(status).toBe(0);
    expect(readFileSync(join(whole, 'encryption.key'), 'utf8')).toBe(`${ENCRYPTION_KEY}\n`);
  });
  afterAll(async () => {
    await target.drop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  let copies = 0;
  /** A copy of the backup that `damage` changes. */
  function damaged(damage: (copy: string) => void): string {
    const copy = join(folder, `copy-${(copies += 1)}`);
    cpSync(whole, copy, { recursive: true });
    damage(copy);
    return copy;
  }
  const forged = (change: Partial<Manifest>) =>
    damaged((copy) => {
      const path = join(copy, 'manifest.json');
      writeFileSync(path, writeManifest({ ...parseManifest(readFileSync(path, 'utf8')), ...change }));
    });
  const change = (file: string) => (copy: string) => {
    const path = join(copy, file);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
  };

  it('refuses damaged and truncated backups by the name of the file', async () => {
    const filled = 'encryption.key';
    const cases: [string, RegExp][] = [
      [damaged(change(filled)), /damaged: the checksum of encryption\.key is wrong/],
      [damaged((copy) => truncateSync(join(copy, filled), 10)), /damaged: encryption\.key has 10 bytes instead of 45/],
      [damaged((copy) => rmSync(join(copy, 'tables/runs'))), /damaged: tables\/runs is missing/],
      [damaged((copy) => truncateSync(join(copy, 'manifest.json'), 99)), /manifest\.json is damaged/],
      [damaged(change('manifest.json')), /manifest\.json is damaged/],
      [damaged((copy) => rmSync(join(copy, 'manifest.json'))), /has no manifest\.json: .* not finished/],
      [join(folder, 'nowhere'), /There is no folder/],
      [forged({ version: '99.0.0' }), /Version 99\.0\.0 of the service made this backup/],
      [forged({ migrations: ['FromTheFuture1999999999999'] }), /Version 0\.1\.0 of the service made this backup/],
      [forged({ format: 2 as 1 }), /a newer version of the service made this backup/],
      [forged({ files: [{ name: '../outside', bytes: 1, sha256: 'x' }] }), /names a file outside/],
      [forged({ kind: 'cluster' }), /is of an embedded database: restore it without DATABASE_URL/],
      [
        forged({ partitions: [{ name: 'x; DROP', table: 'runs', bounds: 'DEFAULT', options: [] }] }),
        /in an unknown way/,
      ],
      [
        forged({ tables: [{ name: 'unknown', columns: ['id'], rows: 0 }] }),
        /a table unknown that is not one of the service/,
      ],
    ];
    for (const [backup, message] of cases) {
      const { status, stdout, stderr } = await gateway({ ...env, DATABASE_URL: target.url }, 'restore', backup);
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
    }
    const left = `SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace`;
    expect(await target.query(left)).toEqual([]);
  });

  it('refuses what does not fit an embedded database', async () => {
    const dataDir = join(folder, 'data');
    const alone = { DATA_DIR: dataDir };
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'notes.txt'), '');
    const cluster = forged({ kind: 'cluster', postgresql: 17 });
    const withoutKey = join(folder, 'without-key');
    expect((await gateway(env, 'backup', withoutKey, '--without-key')).status).toBe(0);
    const keyless = join(withoutKey, 'manifest.json');
    writeFileSync(keyless, writeManifest({ ...parseManifest(readFileSync(keyless, 'utf8')), kind: 'cluster' }));
    const cases: [Record<string, string>, string, RegExp][] = [
      [alone, whole, /is of a PostgreSQL server: set DATABASE_URL/],
      [alone, cluster, /is of PostgreSQL 17, and this version of the service has 18/],
      [{ DATA_DIR: full }, cluster, /is not empty: it has notes\.txt/],
      [alone, withoutKey, /made without its key: set ENCRYPTION_KEY/],
    ];
    for (const [given, backup, message] of cases) {
      const { status, stderr } = await gateway(given, 'restore', backup);
      expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
    }
    const left = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !/\.lock$|^database$/.test(name)) : [];
    expect(left).toEqual([]);
  });
});

describe('a backup', () => {
  const folder = scratchFolder();
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createStartedDatabase();
    env = { DATABASE_URL: database.url, ENCRYPTION_KEY };
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses a folder that is not empty', async () => {
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'notes.txt'), '');
    const { status, stderr } = await gateway(env, 'backup', full);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/full is not empty/)]);
    expect(readdirSync(full)).toEqual(['notes.txt']);
  });

  it('refuses a data folder without a database', async () => {
    const { status, stderr } = await gateway({ DATA_DIR: join(folder, 'none') }, 'backup', join(folder, 'b'));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/There is no database in/)]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves an empty folder after %s, and ends with %d', async (signal, status) => {
    const path = join(folder, `stopped-by-${signal}`);
    // A table that another session has locked keeps the backup waiting.
    const { default: pg } = await import('pg');
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE accounts');
    const child = spawnGateway(env, 'backup', path);
    await until(() => existsSync(path));
    child.kill(signal);
    await blocker.query('ROLLBACK');
    await blocker.end();
    expect(await once(child, 'close')).toEqual([status, null]);
    expect(readdirSync(path)).toEqual([]);
  });
});
