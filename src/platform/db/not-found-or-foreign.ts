import { AppError, notFound } from '../errors.js';
import { type Queryable } from './database.js';

/** Tables whose ids are part of requests, with the word for one row. */
const THINGS = {
  workflows: 'workflow',
  integrations: 'integration',
  triggers: 'trigger',
  runs: 'run',
  webhooks: 'webhook',
  webhook_deliveries: 'webhook delivery',
  integration_changes: 'integration status change',
} as const;

/** A table whose ids are part of requests. */
export type Table = keyof typeof THINGS;

/**
 * The error for an id that was not found in the account: `unauthorized` when it belongs to another account (to users
 * that is `not_found` too), else `not_found`. The query runs only on a miss; an ill-formed id (`undefined`) needs none.
 * `own`: the requesting account, for tables in which its own rows may exist and yet count as deleted.
 */
export async function notFoundOrForeign(
  on: Queryable,
  table: Table,
  uuid: string | undefined,
  own?: string,
): Promise<AppError> {
  const thing = THINGS[table];
  if (uuid === undefined) return notFound(thing);
  const foreign = await on.query(`SELECT 1 FROM ${table} WHERE id = $1 AND account_id IS DISTINCT FROM $2::uuid`, [
    uuid,
    own ?? null,
  ]);
  return foreign.length > 0
    ? new AppError('unauthorized', `The ${thing} belongs to another account.`, { toPersons: notFound(thing) })
    : notFound(thing);
}
