import { type Client } from 'pg';
import { tryLockSql } from '../advisory-locks.js';
import { majorVersion, openCopyClient } from './copy-client.js';
import { endNow } from './snapshot.js';
import { UNFINISHED } from './layout.js';

const OLDEST_POSTGRESQL = 14;

/** Objects of the schema that belong to no extension. */
const OWN = (catalog: string, object: string) =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = ${object}.oid AND d.deptype = 'e')`;
const RELATIONS = `SELECT c.relname AS name, c.oid::regclass::text AS full_name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT c.relispartition AND ${OWN('pg_class', 'c')} ORDER BY 1`;
const SEQUENCES = `SELECT c.relname AS name, c.oid::regclass::text AS full_name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND ${OWN('pg_class', 'c')} ORDER BY 1`;
const FUNCTIONS = `SELECT p.proname AS name, p.oid::regprocedure::text AS full_name FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace AND ${OWN('pg_proc', 'p')} ORDER BY 1`;

/**
 * A database that was empty, into which a copy is loaded. Until `finish` it holds a mark that keeps every service from
 * starting on it; after a failure `abandon` leaves it empty again.
 */
export class EmptyDatabase {
  private constructor(
    readonly url: string,
    readonly client: Client,
  ) {}

  /** Marks an empty database. @throws Error when it is not empty, in use by another load, or too old. */
  static async mark(url: string): Promise<EmptyDatabase> {
    const client = await openCopyClient(url);
    try {
      const version = await majorVersion(client);
      if (version < OLDEST_POSTGRESQL)
        throw new Error(`The target is PostgreSQL ${version}; the service needs ${OLDEST_POSTGRESQL} or newer.`);
      const { rows } = await client.query<{ taken: boolean }>(`SELECT ${tryLockSql('load')} AS taken`);
      if (!rows[0]!.taken) throw new Error('Another process is restoring into this database: wait for its end.');
      // The mark of an earlier load that was killed: everything here is its own.
      const { rows: marks } = await client.query(`SELECT 1 WHERE to_regclass('${UNFINISHED}') IS NOT NULL`);
      if (marks.length > 0) await clear(client);
      await refuseUnlessEmpty(client);
      await client.query(`CREATE TABLE ${UNFINISHED} (since timestamptz NOT NULL DEFAULT now())`);
      return new EmptyDatabase(url, client);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** Removes the mark, in the open transaction. */
  async unmark(): Promise<void> {
    await this.client.query(`DROP TABLE ${UNFINISHED}`);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Empties the database after a failure. */
  async abandon(): Promise<void> {
    // The connection may be in the middle of a copy.
    await endNow(this.client);
    const client = await openCopyClient(this.url);
    try {
      await clear(client);
    } finally {
      await client.end();
    }
  }
}

async function refuseUnlessEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `(${RELATIONS}) UNION ALL (${SEQUENCES}) UNION ALL (${FUNCTIONS})
     UNION ALL SELECT 'pgboss', 'pgboss' FROM pg_namespace WHERE nspname = 'pgboss' LIMIT 1`,
  );
  if (rows.length > 0)
    throw new Error(
      `The database is not empty: it has ${rows[0]!.name}. Create a new one (createdb), and name that one.`,
    );
}

async function clear(client: Client): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
  const { rows: relations } = await client.query<{ name: string; full_name: string }>(RELATIONS);
  // The mark last: a clearing that is interrupted can be repeated.
  const names = relations.filter(({ name }) => name !== UNFINISHED).map((relation) => relation.full_name);
  if (names.length > 0) await client.query(`DROP TABLE ${names.join(', ')} CASCADE`);
  // Those of columns are gone with their tables.
  const { rows: sequences } = await client.query<{ full_name: string }>(SEQUENCES);
  for (const { full_name: name } of sequences) await client.query(`DROP SEQUENCE ${name}`);
  const { rows: functions } = await client.query<{ full_name: string }>(FUNCTIONS);
  for (const { full_name: name } of functions) await client.query(`DROP FUNCTION IF EXISTS ${name} CASCADE`);
  await client.query(`DROP TABLE IF EXISTS ${UNFINISHED}`);
}
