import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sqlState } from '../sql-state.js';
import { PATIENCE_MS } from './limits.js';

/** A program between the service and PostgreSQL that shares the server's sessions, such as PgBouncer. */
export interface Pooler {
  /** How long a client has a session: until it disconnects, until its transaction ends, or for one statement. */
  mode: 'session' | 'transaction' | 'statement';
  /** Whether a client's prepared statements follow it from session to session. */
  keepsStatements: boolean;
}

const PID = 'SELECT pg_backend_pid() AS pid';
/** Other clients of a pooler can hide its mode from one round. */
const ROUNDS = 5;
/** invalid_sql_statement_name and duplicate_prepared_statement: a statement is missing, or another client's is there. */
const STATEMENT_LOST = new Set(['26000', '42P05']);

/** Connects twice and tells which pooler listens at the address. @returns undefined for PostgreSQL itself. */
export async function recognisePooler(url: string): Promise<Pooler | undefined> {
  const [first, second] = [newClient(url), newClient(url)];
  try {
    await first.connect();
    // A pooler invents the process id that a client needs to cancel a statement.
    if ((await pidOf(first)) === (first as unknown as { processID: number }).processID) return undefined;
    await second.connect();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const pooler = await tryRound(first, second);
      if (pooler !== undefined) return pooler;
    }
    return { mode: 'session', keepsStatements: true };
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => undefined)));
  }
}

/**
 * The transaction of the second client occupies the session that the first has used, if sessions are shared. @returns
 * undefined if both keep sessions of their own.
 */
async function tryRound(first: pg.Client, second: pg.Client): Promise<Pooler | undefined> {
  const name = `probe_${randomUUID()}`;
  try {
    const own = await pidOf(first, name);
    await second.query('BEGIN');
    const shared = (await pidOf(second, name)) === own || (await pidOf(first, name)) !== own;
    return shared ? { mode: 'transaction', keepsStatements: true } : undefined;
  } catch (error) {
    if (STATEMENT_LOST.has(sqlState(error) ?? '')) return { mode: 'transaction', keepsStatements: false };
    if (/statement pooling/.test((error as Error).message)) return { mode: 'statement', keepsStatements: false };
    throw error;
  } finally {
    await second.query('ROLLBACK').catch(() => undefined);
  }
}

async function pidOf(client: pg.Client, name?: string): Promise<number> {
  const { rows } = await client.query<{ pid: number }>({ text: PID, ...(name !== undefined && { name }) });
  return rows[0]!.pid;
}

function newClient(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: 'workflow-gateway start',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('error', () => undefined);
  return client;
}
