import { type ClientBase } from 'pg';

/** A table whose rows are copied. Names are quoted for SQL; those of pg-boss have its schema. */
export interface CopiedTable {
  name: string;
  /** All columns but generated ones. */
  columns: string[];
}

/** A partition, which a copy creates before it loads the rows of its table. */
export interface CopiedPartition {
  name: string;
  table: string;
  /** As PostgreSQL prints it: `FOR VALUES FROM ('…') TO ('…')`. */
  bounds: string;
  /** Storage parameters, e.g. `fillfactor=70`. */
  options: string[];
}

/** A sequence, and where it goes on. */
export interface CopiedSequence {
  name: string;
  /** A bigint as text. */
  value: string;
  isCalled: boolean;
}

/** What a copy of the service's database consists of, besides its rows. */
export interface Layout {
  tables: CopiedTable[];
  partitions: CopiedPartition[];
  sequences: CopiedSequence[];
}

/** Exists in a database while rows are loaded into it: an interrupted load must not be taken for a whole one. */
export const UNFINISHED = 'unfinished_restore';

/**
 * Of pg-boss only the jobs are copied: its tables and queues are created by the version of the service that loads them.
 * The migrations are executed there, too.
 */
const TABLES = `
  SELECT CASE WHEN n.nspname = current_schema() THEN quote_ident(c.relname)
              ELSE quote_ident(n.nspname) || '.' || quote_ident(c.relname) END AS name,
    (SELECT array_agg(quote_ident(a.attname) ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
    AND (n.nspname = current_schema() AND c.relname NOT IN ('migrations', '${UNFINISHED}')
         OR n.nspname = 'pgboss' AND c.relname = 'job')
  ORDER BY 1`;

const PARTITIONS = `
  SELECT quote_ident(c.relname) AS name, quote_ident(p.relname) AS table, pg_get_expr(c.relpartbound, c.oid) AS bounds,
    coalesce(c.reloptions, '{}') AS options
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE p.relkind = 'p' AND p.relnamespace = current_schema()::regnamespace
  ORDER BY 1`;

/** Reads the tables and partitions of a database, in the order of their names. */
export async function layoutOf(client: ClientBase): Promise<Layout> {
  const { rows: tables } = await client.query<CopiedTable>(TABLES);
  const { rows: partitions } = await client.query<CopiedPartition>(PARTITIONS);
  return { tables, partitions, sequences: await sequencesOf(client) };
}

/** A sequence is read after the snapshot began: it is at the values of the rows, or behind them. */
async function sequencesOf(client: ClientBase): Promise<CopiedSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind = 'S' AND relname <> 'migrations_id_seq'
       AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  const sequences: CopiedSequence[] = [];
  for (const { name } of rows) {
    const state = `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${name}`;
    const { rows: states } = await client.query<Omit<CopiedSequence, 'name'>>(state);
    sequences.push({ name, ...states[0]! });
  }
  return sequences;
}

/** The names of the migrations that a database has had, in their order. */
export async function migrationsOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}
