import { accountKeysSql, accountLockSql } from '../../platform/db/advisory-locks.js';
import { type Queryable } from '../../platform/db/database.js';
import { type AppError, validationError } from '../../platform/errors.js';

/** The most triggers that a workflow may have. */
export const MAX_TRIGGERS = 100;
/** The most triggers that an account may have: one event may fire all of them. */
export const MAX_TRIGGERS_OF_ACCOUNT = 10_000;

/** SQL in a select list of workflows: serializes the creation of triggers of the account, which counts them. */
export const LOCK_TRIGGERS = accountLockSql(accountKeysSql('account_id', `'triggers'`));

/** SQL that finds a row when the account `$1` has reached its limit. */
export const LAST_OF_ACCOUNT = `SELECT 1 FROM triggers WHERE account_id = $1 OFFSET ${MAX_TRIGGERS_OF_ACCOUNT - 1} LIMIT 1`;

/** The `validation_error` that names the limit a new trigger would exceed: the account's or its workflow's. */
export async function tooManyTriggers(on: Queryable, accountId: string): Promise<AppError> {
  const isOfAccount = (await on.query(LAST_OF_ACCOUNT, [accountId])).length > 0;
  const most = MAX_TRIGGERS_OF_ACCOUNT.toLocaleString('en');
  const message = isOfAccount
    ? `is of an account that has ${most} triggers, the most that one may have`
    : `has ${MAX_TRIGGERS} triggers, the most that a workflow may have`;
  return validationError({ field: 'workflowId', message });
}
