import { type QueryRunner } from 'typeorm';

/** An index that is built while the table is read and written. */
export interface ConcurrentIndex {
  name: string;
  table: string;
  /** What follows the table's name: `(account_id, id DESC) WHERE …`, perhaps with `USING` before it. */
  on: string;
  unique?: boolean;
}

interface Partition {
  table: string;
  /** The partition's index that belongs to the new one. */
  index: string;
}

/** PostgreSQL's undefined_table: a partition was dropped after it was listed. */
const UNDEFINED_TABLE = '42P01';

/**
 * For a migration with `transaction = false`: builds an index without blocking writes; for a partitioned table one
 * partition after another. After a crash a second call continues: an index left invalid is replaced.
 */
export async function createIndexConcurrently(runner: QueryRunner, index: ConcurrentIndex): Promise<void> {
  const [parent] = (await runner.query(`SELECT relkind FROM pg_class WHERE oid = $1::regclass`, [index.table])) as {
    relkind: string;
  }[];
  if (parent!.relkind === 'p') return createPartitioned(runner, index);
  await build(runner, index);
}

async function createPartitioned(runner: QueryRunner, { name, table, on, unique }: ConcurrentIndex): Promise<void> {
  await runner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${on}`);
  for (let left = await unindexed(runner, name, table); left.length > 0; left = await unindexed(runner, name, table)) {
    for (const partition of left) {
      try {
        await build(runner, { name: partition.index, table: partition.table, on, ...(unique && { unique }) });
        await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${partition.index}`);
      } catch (error) {
        if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
      }
    }
  }
}

/**
 * Partitions that lack their part of the index. The default partition comes last because it is never dropped: attaching
 * the last part makes the whole index valid.
 */
async function unindexed(runner: QueryRunner, name: string, table: string): Promise<Partition[]> {
  return (await runner.query(
    `SELECT c.relname AS table, replace(c.relname, $2, $1) AS index
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $2::regclass AND NOT EXISTS (
       SELECT 1 FROM pg_index x JOIN pg_inherits part ON part.inhrelid = x.indexrelid
       WHERE x.indrelid = c.oid AND part.inhparent = $1::regclass)
     ORDER BY c.relname = $2 || '_default', c.relname`,
    [name, table],
  )) as Partition[];
}

/** The wait for older transactions blocks no other session, so it has no limit. */
async function build(runner: QueryRunner, { name, table, on, unique }: ConcurrentIndex): Promise<void> {
  const [found] = (await runner.query(`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)`, [
    name,
  ])) as { valid: boolean }[];
  if (found?.valid) return;
  if (found !== undefined) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  const [{ lock_timeout: limit }] = (await runner.query(`SHOW lock_timeout`)) as [{ lock_timeout: string }];
  await runner.query(`SET lock_timeout = 0`);
  try {
    await runner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${table} ${on}`);
  } finally {
    await runner.query(`SET lock_timeout = '${limit}'`);
  }
}
