/** The limit of each statement in milliseconds, on the service's side of the connection, unless a caller says another. */
export const PATIENCE_MS = 5_000;

/** The server's limits of a session, in milliseconds, by the names of PostgreSQL. */
export type Limits = Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>;

/** The server's limits: each fires before the service gives up the connection after `patience` milliseconds. */
export function limitsOf(patience = PATIENCE_MS): Limits {
  return {
    statement_timeout: patience - 500,
    lock_timeout: patience - 1_000,
    idle_in_transaction_session_timeout: 2 * patience,
  };
}

/** Begins a transaction with its own limits in one message: they end with it, so a pooler may share the session. */
export function beginWith(limits: Partial<Limits>): string {
  const settings = Object.entries(limits).map(([name, milliseconds]) => `; SET LOCAL ${name} = ${milliseconds}`);
  return `START TRANSACTION${settings.join('')}`;
}
