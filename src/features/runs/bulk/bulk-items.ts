import { type Queryable, type Transaction } from '../../../platform/db/database.js';
import { isRowBusy } from '../../../platform/db/sql-state.js';
import { type AppError, validationError } from '../../../platform/errors.js';
import { runFilter } from '../run-filter.js';
import { OPEN_STATES } from '../run-status.js';
import { type RetryFrom } from '../control/retry-from.js';
import { type RunSelection } from '../run.inputs.js';
import { type BulkOperation } from './bulk-operation.entity.js';

/** The most runs of one operation. */
export const MAX_MATCHED = 100_000;

/** SQL for the runs `r` that an operation takes, beside those that its filters name. */
export const TAKES = {
  cancel: `r.finished_at IS NULL AND r.status IN (${OPEN_STATES})`,
  failed_step: `r.status IN ('failed', 'canceled')`,
  start: `r.finished_at IS NOT NULL`,
} as const;

/** What an operation takes: a key of `TAKES`. */
export type Taking = keyof typeof TAKES;

/** SQL for the statuses of runs that a retry may mend. */
const MENDABLE = `('failed', 'canceled')`;

/**
 * The failed and canceled runs of `matching` that a later retry stands for: one that is under way or succeeded, or one
 * that is taken itself. A chain of retries is followed up to the first that stands for the run. IN is hashed in any plan; EXISTS
 * becomes a loop over all pairs when the estimates are low.
 */
const STOOD_FOR = `
  later AS (
    SELECT m.id AS run, t.id, t.status NOT IN ${MENDABLE} OR t.id IN (SELECT id FROM matching) AS stands
    FROM matching m JOIN runs t ON t.retry_of = m.id WHERE t.account_id = $1
    UNION ALL
    SELECT l.run, t.id, t.status NOT IN ${MENDABLE} OR t.id IN (SELECT id FROM matching)
    FROM later l JOIN runs t ON t.retry_of = l.id WHERE NOT l.stands AND t.account_id = $1)`;

/** The runs that are being retried now: from each open retry back to the run that was retried first. */
const BEING_RETRIED = `
  being_retried AS (
    SELECT t.retry_of AS id FROM runs t WHERE t.account_id = $1 AND t.finished_at IS NULL AND t.retry_of IS NOT NULL
    UNION
    SELECT r.retry_of FROM being_retried b JOIN runs r ON r.id = b.id WHERE r.retry_of IS NOT NULL)`;

/** The operation whose runs are fixed. */
export interface Fixing {
  accountId: string;
  uuid: string;
  filter: RunSelection;
  taking: Taking;
}

/**
 * Stores the runs that match, in one statement that reads none of them into the process. Later changes of a run or of
 * the list change nothing. @returns their number. @throws AppError `validation_error` for too many.
 */
export async function fixItems(tx: Transaction, { accountId, uuid, filter, taking }: Fixing): Promise<number> {
  const condition = runFilter(filter);
  if (condition === undefined) return 0;
  const { where, values } = condition;
  const id = `$${values.length + 2}::uuid`;
  const [before, chosen] = choice(taking, `FROM runs r WHERE r.account_id = $1 AND ${where} AND ${TAKES[taking]}`);
  const statement = `
    WITH RECURSIVE ${before} fixed AS (
      INSERT INTO bulk_items (bulk_id, run_id) SELECT ${id}, ${chosen} LIMIT ${MAX_MATCHED + 1}
      RETURNING 1)
    SELECT count(*)::integer AS matched FROM fixed`;
  const rows = await tx.query<{ matched: number }>(statement, [accountId, ...values, uuid]).catch((error: unknown) => {
    throw isRowBusy(error) ? tooSlow() : error;
  });
  const { matched } = rows[0]!;
  if (matched > MAX_MATCHED) {
    const message = `or another filter must match fewer runs: more than ${MAX_MATCHED} match, the most of one request`;
    throw validationError({ field: 'createdAfter', message });
  }
  return matched;
}

/** SQL: what precedes the statement that stores the runs, and those of `runs` that are taken. */
function choice(taking: Taking, runs: string): [before: string, chosen: string] {
  if (taking === 'cancel') return ['', `r.id ${runs}`];
  if (taking === 'start') {
    return [`${BEING_RETRIED},`, `r.id ${runs} AND r.id NOT IN (SELECT id FROM being_retried)`];
  }
  return [
    `matching AS (SELECT r.id ${runs}), ${STOOD_FOR},`,
    `m.id FROM matching m WHERE m.id NOT IN (SELECT run FROM later WHERE stands)`,
  ];
}

/** SQL: whether the retry `t` of the run `r` makes that of the operation $3 needless. */
const ANTICIPATES = {
  failed_step: `r.status IN ${MENDABLE} AND t.status NOT IN ${MENDABLE}`,
  start: `(t.finished_at IS NULL OR t.id > $3)`,
} as const satisfies Record<RetryFrom, string>;

/**
 * Those of some runs that were retried before the operation came to them, so that it would do the same again: for
 * `failed_step` by a retry that has not failed, for `start` by any since the request.
 */
export async function retriedSince(
  tx: Queryable,
  { uuid, accountId, retryFrom }: Pick<BulkOperation, 'uuid' | 'accountId' | 'retryFrom'>,
  runs: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ run: string }>(
    `SELECT r.id AS run FROM runs r WHERE r.id = ANY ($2) AND EXISTS (
       SELECT 1 FROM runs t WHERE t.retry_of = r.id AND t.account_id = $1 AND ${ANTICIPATES[retryFrom!]})`,
    [accountId, runs, ...(retryFrom === 'start' ? [uuid] : [])],
  );
  return new Set(rows.map(({ run }) => run));
}

function tooSlow(): AppError {
  const message = 'must be later, for a shorter time: the runs that match were not found in time';
  return validationError({ field: 'createdAfter', message });
}
