import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseAway } from '../../errors.js';

/** How long a start waits for its database, in milliseconds: longer than a failover takes. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 500;
const CONNECT_MS = 5_000;
/** The pause between two lines about the wait, in milliseconds. */
const LOG_MS = 5_000;

/** Where the wait reports, and what ends it. */
export interface WaitOptions {
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
  /** The longest wait, in milliseconds; 60 s by default. */
  patience?: number;
}

/**
 * Waits until the database accepts connections and writes. @throws Error with a sentence when it does not in time, and at
 * once for what waiting does not mend: a wrong password, a missing database. @throws the reason of `signal`.
 */
export async function untilConnected(url: string, { log, signal, patience = PATIENCE_MS }: WaitOptions): Promise<void> {
  const begin = performance.now();
  let nextLine = begin;
  for (;;) {
    const reason = await refusal(url);
    if (reason === undefined) return;
    const now = performance.now();
    if (now - begin > patience) {
      const seconds = Math.round(patience / 1_000);
      throw new Error(`The database is not available after ${seconds} s (${reason}): check it and DATABASE_URL.`);
    }
    if (now >= nextLine) {
      log(`database: not available yet (${reason}), trying again`);
      nextLine = now + LOG_MS;
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => signal!.throwIfAborted());
  }
}

/** Why the database cannot be used yet; undefined when it can. @throws Error when a retry would not help. */
async function refusal(url: string): Promise<string | undefined> {
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS };
  const client = new pg.Client({ connectionString: url, application_name: 'workflow-gateway start', ...limits });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ state: string }>(`SELECT current_setting('transaction_read_only') AS state`);
    return rows[0]?.state === 'on' ? 'it is read-only' : undefined;
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    return (error as Error).message || String((error as { code?: unknown }).code);
  } finally {
    // Not awaited: a server that is gone never answers.
    void client.end().catch(() => undefined);
  }
}
