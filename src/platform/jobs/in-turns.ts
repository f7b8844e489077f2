/**
 * SQL: the rows of a query in turns of their accounts, the first of each account before the second of any, so that an
 * account with many rows delays no other. The query has the columns `account` and `at`, by which the rows of an account
 * follow each other. `most`: SQL for the maximum of rows per account. A LIMIT can follow.
 */
export function inTurns(query: string, most?: string): string {
  return `SELECT * FROM (
      SELECT due.*, row_number() OVER (PARTITION BY account ORDER BY at) AS nth FROM (${query}) due) turns
    ${most === undefined ? '' : `WHERE nth <= ${most}`} ORDER BY nth, at`;
}
