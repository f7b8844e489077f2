/** The SQLSTATE of an error of PostgreSQL, through TypeORM's wrapper. */
export function sqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** query_canceled (a timeout) and lock_not_available. */
const BUSY_ROW = new Set(['57014', '55P03']);

/**
 * Whether a statement failed because it ran or waited for a lock too long: one row is busy, the database is available.
 */
export function isRowBusy(error: unknown): boolean {
  return BUSY_ROW.has(sqlState(error) ?? '');
}
