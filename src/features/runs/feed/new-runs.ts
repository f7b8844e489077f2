import { type Queryable } from '../../../platform/db/database.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { RUN_HISTORY, type RunHistory } from './run-change.js';

const AT_MOST = 10_000;

/**
 * The newest of each account come before the second newest of each, so that no account displaces the runs of others.
 * $1: accounts, $2: workflows, $3: the least id. `IN (SELECT unnest …)` becomes a hash table: with `= ANY` the indexes
 * would be searched for each of thousands of workflows, although few have new runs.
 */
const NEW_RUNS = `SELECT * FROM (
  SELECT ${RUN_HISTORY} FROM runs r WHERE r.id >= $3
    AND (r.account_id IN (SELECT unnest($1::uuid[])) OR r.workflow_id IN (SELECT unnest($2::uuid[])))
  ORDER BY row_number() OVER (PARTITION BY r.account_id ORDER BY r.id DESC) LIMIT ${AT_MOST}) newest
  ORDER BY uuid`;

/**
 * The runs of these accounts and workflows that were created since a time in milliseconds, in that order: at most 10,000.
 * The comparison of versions finds the others.
 */
export async function readNewRuns(
  on: Pick<Queryable, 'query'>,
  accounts: readonly string[],
  workflows: readonly string[],
  since: number,
): Promise<RunHistory[]> {
  return on.query<RunHistory & Record<string, unknown>>(NEW_RUNS, [accounts, workflows, lowestUuidAt(since)]);
}
