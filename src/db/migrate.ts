import pg from 'pg';
import { type DataSource } from 'typeorm';

/** The advisory lock under which migrations run, so that processes that start together don't collide: "wfgm" in ASCII. */
const MIGRATION_LOCK = 0x7766676d;

/** Brings the schema up to date, one process at a time. Waits for another process that is doing it. */
export async function migrate(source: DataSource, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await client.end();
  }
}
