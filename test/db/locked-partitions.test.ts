import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { sources } from '../support/database/sql-tables.js';

/** A file with SQL from `payloads.ts` that reads a partitioned table. */
const READS_PAYLOADS = /\b(?:payloadBody|storedText)\b/;
const LAST_LOCK = /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)(?: OF [a-z, ]+)?(?: SKIP LOCKED)?(?:\s*\$\{[^}]*\})?\s*`$/;
const LOCK = /\bFOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)\b/;

/** PostgreSQL 18 crashes otherwise: see `lockedPayloadBody`. */
describe('statements that lock rows in a subquery', () => {
  let database: TestDatabase;
  let db: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = new pg.Client({ connectionString: database.url });
    await db.connect();
  });
  afterAll(async () => {
    await db.end();
    await database.drop();
  });

  it('name no partitioned table', async () => {
    const { rows } = await db.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const tables = rows.map(({ name }) => name);
    expect(tables).toEqual(expect.arrayContaining(['payloads', 'runs', 'steps']));
    const isPartitioned = new RegExp(String.raw`\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:${tables.join('|')})\b`);
    const locking = sources().flatMap(({ file, text }) =>
      [...text.matchAll(/`(?:[^`\\]|\\.)*`/g)]
        // A lock at the end belongs to the whole statement, which reads nothing after it.
        .filter(([sql]) => LOCK.test(sql.replace(LAST_LOCK, '')))
        .map(([sql]) => ({ file, sql, reads: isPartitioned.test(sql) || READS_PAYLOADS.test(text) })),
    );
    expect(locking.length).toBeGreaterThan(5);
    expect(locking.filter(({ reads }) => reads)).toEqual([]);
  });
});
