import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database, type Transaction } from '../../src/platform/db/database.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { lockConnections } from '../../src/features/waits/connections/lock-connections.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

const MODULE = 'platform/db/advisory-locks.ts';
const ACCOUNT = '01940000-0000-7000-8000-000000000000';
const ANOTHER = '01940000-0000-7000-8000-000000000001';

/**
 * References of that account and the type `slack` for which `hashtextextended('connection <account> <type> <reference>', 0)`
 * is the key of a lock of the service. They were computed within 0.2 s each, by the inverse of the hash.
 */
const CRAFTED = [
  ['the numbering of events', '0000..a|qnR`c6zI[', 0x77666765],
  ['migrations', '0000..nX[;+UsDuKG', 0x7766676d],
] as const;

describe('advisory locks', () => {
  let database: TestDatabase;
  let db: Database;
  let other: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = new Database(await createDataSource({ url: database.url, poolSize: 2 }, []).initialize());
    other = new pg.Client(database.url);
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await db.source.destroy();
    await database.drop();
  });

  /** The keys of the locks of this transaction, and whether they are one number or two. */
  const held = (tx: Transaction) =>
    tx.query<{ first: string; second: string; kind: number }>(
      `SELECT classid::text AS first, objid::text AS second, objsubid AS kind FROM pg_locks
       WHERE locktype = 'advisory' AND pid = pg_backend_pid() ORDER BY 1, 2`,
    );
  const ofConnections = (owned: readonly [account: string, reference: string][]) =>
    db.transaction(async (tx) => {
      await lockConnections(
        tx,
        owned.map(([accountId, reference]) => ({ accountId, type: 'slack', reference })),
      );
      return held(tx);
    });

  it.each(CRAFTED)('are not taken from %s by a reference whose hash is their key', async (_, reference, key) => {
    const free = await db.transaction(async (tx) => {
      await lockConnections(tx, [{ accountId: ACCOUNT, type: 'slack', reference }]);
      const { rows } = await other.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock($1) AS taken`, [key]);
      return rows[0]!.taken;
    });
    await other.query(`SELECT pg_advisory_unlock_all()`);
    expect(free).toBe(true);
  });

  it('of an account have two keys, of which the first depends on the account alone', async () => {
    const keys = await ofConnections([
      [ACCOUNT, 'one'],
      [ACCOUNT, 'two'],
      [ACCOUNT, 'two'],
    ]);
    expect(keys.map(({ kind }) => kind)).toEqual([2, 2]);
    expect(new Set(keys.map(({ first }) => first)).size).toBe(1);
    const others = await ofConnections([[ANOTHER, 'one']]);
    expect(others.map(({ kind }) => kind)).toEqual([2]);
    expect(others[0]!.first).not.toBe(keys[0]!.first);
  });

  it('are named in one module, where no key that is one number is a hash', () => {
    const src = join(packageRoot, 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const naming = files.filter((file) =>
      /pg_(try_)?advisory|hashtextextended/i.test(readFileSync(join(src, file), 'utf8')),
    );
    expect(naming).toEqual([MODULE]);
    const calls = readFileSync(join(src, MODULE), 'utf8').matchAll(/pg_(?:try_)?advisory_\w*lock\w*\((.*)\)`/g);
    expect(Array.from(calls, ([, keys]) => keys)).toEqual([
      '${ADVISORY_LOCKS[lock]}',
      '${ADVISORY_LOCKS[lock]}',
      '${first}, ${second}',
    ]);
  });
});
