import { AppError, notFound } from '../errors.js';
import { type Queryable } from './database.js';

/** Tables whose ids clients hand in, with the word for one row. */
const THINGS = {
  workflows: 'workflow',
  integrations: 'integration',
  triggers: 'trigger',
  runs: 'run',
  webhooks: 'webhook',
  webhook_deliveries: 'webhook delivery',
  integration_changes: 'integration status change',
} as const;

export type Table = keyof typeof THINGS;

/**
 * The error for an id that named nothing in the account: `unauthorized` when it is another account's (specification,
 * Authentication 5; to a person that is `not_found` too), else `not_found`. Asked only on a miss; an ill-formed id (`undefined`) asks nothing.
 * `own`: the account that asks, where rows of its own may be there and yet count as gone.
 */
export async function notFoundOrForeign(on: Queryable, table: Table, uuid: string | undefined, own?: string): Promise<AppError> {
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
