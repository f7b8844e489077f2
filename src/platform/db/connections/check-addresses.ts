import pg from 'pg';
import { PATIENCE_MS } from './limits.js';
import { recognisePooler } from './recognise-pooler.js';

/** The two addresses of a database. */
export interface Addresses {
  /** Of all statements; perhaps that of a pooler. */
  url: string;
  /** Of PostgreSQL itself or of a pooler in session mode, for whatever needs a session: migrations and LISTEN. */
  directUrl: string;
}

/** The settings of the addresses do not fit what the addresses lead to; the message names the remedy. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

const NEEDS_SESSION = 'migrations and LISTEN need a session';
/** The database and the cluster that an address leads to. A standby has the identifier of its primary. */
const WHERE = `SELECT current_database() || ' ' || system_identifier AS place FROM pg_control_system()`;

/**
 * Looks for a pooler behind the addresses. @returns whether statements go through one. @throws AddressError with a sentence
 * if the pooler would break the service: its mode, prepared statements that it loses, an address for another database.
 */
export async function checkAddresses({ url, directUrl }: Addresses, isPrepared: boolean): Promise<boolean> {
  const pooler = await recognisePooler(url);
  if (pooler?.mode === 'statement') {
    refuse(
      'DATABASE_URL',
      'leads to a connection pooler in statement mode, which has no transactions; use transaction mode',
    );
  }
  if (pooler?.mode === 'transaction') {
    if (url === directUrl) {
      const remedy = 'set DATABASE_DIRECT_URL to the address of PostgreSQL itself';
      refuse('DATABASE_URL', `leads to a connection pooler in transaction mode, but ${NEEDS_SESSION}; ${remedy}`);
    }
    if (isPrepared && !pooler.keepsStatements) {
      const remedy = 'set DATABASE_PREPARED=off, or max_prepared_statements of PgBouncer (1.21 or later) above 0';
      refuse('DATABASE_URL', `leads to a connection pooler that loses prepared statements; ${remedy}`);
    }
  }
  if (url !== directUrl) await checkDirect({ url, directUrl });
  return pooler !== undefined;
}

async function checkDirect({ url, directUrl }: Addresses): Promise<void> {
  const direct = await recognisePooler(directUrl);
  if (direct !== undefined && direct.mode !== 'session') {
    const problem = `leads to a connection pooler in ${direct.mode} mode, but ${NEEDS_SESSION}`;
    refuse('DATABASE_DIRECT_URL', `${problem}; use the address of PostgreSQL itself`);
  }
  const [one, other] = await Promise.all([placeOf(url), placeOf(directUrl)]);
  if (one !== other) refuse('DATABASE_DIRECT_URL', 'leads to another database than DATABASE_URL');
}

async function placeOf(connectionString: string): Promise<string> {
  const limits = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
  const client = new pg.Client({ connectionString, application_name: 'workflow-gateway start', ...limits });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ place: string }>(WHERE)).rows[0]!.place;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function refuse(name: string, problem: string): never {
  throw new AddressError(`${name}: ${problem}.`);
}
