import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { filesOfComputedTables, namesIn, type TableUse, usesOf } from '../support/database/sql-tables.js';
import { BY_FUNCTION, COMPUTED, type Foreigners, OWNERS, READERS, WRITERS } from './table-owners.js';

/** Every table of the migrated schema; a partition belongs to its table. */
async function tablesOf(database: TestDatabase): Promise<string[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
         AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migrations' ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

const lineOf = (table: string, file: string) => `${table}: ${file}`;
const linesOf = (foreigners: Foreigners) =>
  Object.entries(foreigners).flatMap(([table, files]) => Object.keys(files).map((file) => lineOf(table, file)));

const isOwn = ({ table, file }: TableUse) => `${file}/`.startsWith(`${OWNERS[table]}/`);

describe('a table has one owning folder', () => {
  let database: TestDatabase;
  let tables: string[];
  let uses: TableUse[];

  beforeAll(async () => {
    database = await createTestDatabase();
    tables = await tablesOf(database);
    uses = usesOf(new Set(tables));
  });
  afterAll(() => database.drop());

  const foreign = (writes: boolean) =>
    uses.filter((use) => use.writes === writes && !isOwn(use)).map(({ table, file }) => lineOf(table, file));

  it('for each table of the schema', () => {
    expect(Object.keys(OWNERS).sort()).toEqual([...tables].sort());
  });

  it('which writes it', () => {
    const unwritten = tables.filter((table) => !uses.some((use) => use.table === table && use.writes && isOwn(use)));
    expect(unwritten).toEqual(Object.keys(BY_FUNCTION));
  });

  it('and is read elsewhere only by the listed files', () => {
    expect(foreign(false).sort()).toEqual(linesOf(READERS).sort());
  });

  it('and is written elsewhere only by the listed files', () => {
    expect(foreign(true).sort()).toEqual(linesOf(WRITERS).sort());
  });

  it('and has a computed name only in the listed files', () => {
    expect(filesOfComputedTables().sort()).toEqual(Object.keys(COMPUTED).sort());
  });
});

describe('the search for tables in SQL', () => {
  const found = (text: string) => {
    const { reads, writes } = namesIn(text);
    return { reads: [...reads].sort(), writes: [...writes].sort() };
  };

  it.each([
    ['SELECT 1 FROM a x, unnest($1::uuid[]) c (id), b JOIN ONLY d USING (id)', ['a', 'b', 'd'], []],
    ['WITH n AS (INSERT INTO a (id) SELECT id FROM b) UPDATE c SET x = 1 FROM n', ['b', 'n'], ['a', 'c']],
    ['DELETE FROM a USING b WHERE a.id = b.id', ['b'], ['a']],
    ['SELECT 1 FROM a WHERE id = $1 FOR NO KEY UPDATE OF a', ['a'], []],
    ['SELECT 1 FROM a\n   FOR UPDATE SKIP LOCKED', ['a'], []],
    ['TRUNCATE a', [], ['a']],
    [`prune(db, signal, { table: 'a', column: 'at' })`, [], ['a']],
    [`linkStatement({ from: 'a x' })`, ['a'], []],
    [`new ChangeLog({ table: 'a', counter: { table: 'b', key: 'id', column: 'n' } })`, ['a', 'b'], []],
    [`findOwned(db, { table: 'a', accountId, id }, A)`, ['a'], []],
  ])('understands %s', (text, reads, writes) => {
    expect(found(text)).toEqual({ reads, writes });
  });
});
