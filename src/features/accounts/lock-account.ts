import { type Queryable } from '../../platform/db/database.js';

/**
 * Locks an account until the commit: what counts its rows and then adds one (webhooks, keys, people) takes turns, and
 * cannot exceed a limit in a race.
 */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(`SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, [accountId]);
}
