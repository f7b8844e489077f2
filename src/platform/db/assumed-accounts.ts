/** The accounts that plans are made for, in each table; the plans of docs/performance.md were measured with as many. */
const ASSUMED_ACCOUNTS = 200;

/**
 * SQL that makes PostgreSQL plan statements on a table as if its rows belonged to 200 accounts. A prepared statement has
 * one plan for all accounts. With the true number of a small installation PostgreSQL would read the newest rows of all
 * accounts in the hope of finding those of one: a small account beside a large one would have the whole table read.
 */
export function assumeAccounts(table: string): string {
  return `ALTER TABLE ${table} ALTER COLUMN account_id SET (n_distinct = ${ASSUMED_ACCOUNTS})`;
}
