import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client } from 'pg';
import copyStreams from 'pg-copy-streams';
import { assumeAccounts } from '../assumed-accounts.js';
import { type CopiedPartition, type CopiedTable, type Layout, layoutOf } from './layout.js';

/** The parts of a partition that become SQL: whatever a damaged or forged manifest says, nothing else is executed. */
const NAME = /^"?[a-z_][a-z0-9_]*"?$/;
const BOUNDS = /^(?:DEFAULT|FOR VALUES FROM \((?:'[0-9a-f-]{36}'|MINVALUE)\) TO \((?:'[0-9a-f-]{36}'|MAXVALUE)\))$/;
const OPTION = /^[a-z_.]+=[A-Za-z0-9_.]+$/;

/** Where the rows of a table come from. */
export type Rows = (table: CopiedTable) => Readable;

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Loads the rows of a copy into the empty tables of a migrated database, in the open transaction of `client`. Foreign
 * keys are checked once, after all rows. @returns the rows of each table. @throws Error when the database lacks a table
 * or a column of the copy.
 */
export async function loadTables(
  client: Client,
  copied: Layout,
  rows: Rows,
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const present = await layoutOf(client);
  refuseUnknown(copied, present);
  for (const partition of copied.partitions)
    if (!present.partitions.some(({ name }) => name === partition.name)) await createPartition(client, partition);
  const keys = await dropForeignKeys(client);
  await empty(client, present.tables);
  const counts = new Map<string, number>();
  for (const table of copied.tables) {
    const target = client.query(copyStreams.from(`COPY ${table.name} (${table.columns.join(', ')}) FROM STDIN`));
    await pipeline(rows(table), target, { signal });
    counts.set(table.name, target.rowCount);
  }
  for (const { table, name, definition } of keys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  await continueSequences(client, copied, present);
  return counts;
}

/** Removes the rows that migrations create. Tables without rows are left alone: the audit log refuses every removal. */
async function empty(client: Client, tables: readonly CopiedTable[]): Promise<void> {
  for (const { name } of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${name} LIMIT 1`);
    if (rowCount! > 0) await client.query(`TRUNCATE ${name}`);
  }
}

/** The names come into SQL, so each has to be one that this database has. */
function refuseUnknown(copied: Layout, present: Layout): void {
  const columns = new Map(present.tables.map((table) => [table.name, new Set(table.columns)]));
  for (const table of copied.tables) {
    const known = columns.get(table.name);
    if (known === undefined)
      throw new Error(
        `The copy has a table ${table.name} that is not one of the service: drop it at the source and copy again.`,
      );
    const unknown = table.columns.find((column) => !known.has(column));
    if (unknown !== undefined)
      throw new Error(`The copy has a column ${table.name}.${unknown} that this version of the service does not know.`);
  }
}

async function createPartition(client: Client, { name, table, bounds, options }: CopiedPartition): Promise<void> {
  if (
    ![name, table].every((text) => NAME.test(text)) ||
    !BOUNDS.test(bounds) ||
    !options.every((text) => OPTION.test(text))
  )
    throw new Error(`The copy describes the partition ${JSON.stringify(name)} in an unknown way.`);
  const storage = options.length > 0 ? ` WITH (${options.join(', ')})` : '';
  await client.query(`CREATE TABLE ${name} PARTITION OF ${table} ${bounds}${storage}`);
  await client.query(assumeAccounts(name));
}

/** Drops the foreign keys between tables of the service, and returns them. */
async function dropForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

/** Each sequence goes on where it was. */
async function continueSequences(client: Client, copied: Layout, present: Layout): Promise<void> {
  const known = new Set(present.sequences.map(({ name }) => name));
  for (const { name, value, isCalled } of copied.sequences)
    if (known.has(name))
      await client.query('SELECT setval($1::text::regclass, $2::bigint, $3)', [name, value, isCalled]);
}
