import pg from 'pg';
import { recognisePooler } from '../connections/recognise-pooler.js';

/**
 * A connection that copies tables: without time limits, and with texts of values that do not depend on the settings of
 * the server, so that two servers can be compared. @throws Error for a pooler that gives no session.
 */
export async function openCopyClient(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'workflow-gateway copy',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // The statement that is under way reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();
  const pooler = await recognisePooler(connectionString);
  if (pooler !== undefined && pooler.mode !== 'session') {
    await client.end();
    throw new Error(
      `${new URL(connectionString).host} is a connection pooler in ${pooler.mode} mode, and a copy needs a session: use the address of PostgreSQL itself (with DATABASE_URL: in DATABASE_DIRECT_URL).`,
    );
  }
  await client.query(`
    SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 3;
    SET bytea_output = 'hex'; SET client_encoding = 'UTF8'`);
  return client;
}

/** The major version of a server, e.g. 18. */
export async function majorVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ number: string }>(`SELECT current_setting('server_version_num') AS number`);
  return Math.floor(Number(rows[0]!.number) / 10_000);
}
