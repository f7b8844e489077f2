import { type Queryable } from '../../../platform/db/database.js';

/**
 * Fails every pending delivery of a restored database, and ends what would send others again: they may have been sent
 * after the backup. @returns the number of failed deliveries.
 */
export async function failUnsent(on: Queryable, now: Date, error: string): Promise<number> {
  await on.query(`DELETE FROM webhook_redeliveries`);
  const [failed] = await on.query<{ total: number }>(
    `WITH failed AS (
       UPDATE webhook_deliveries SET status = 'failed', error = $1, next_attempt_at = NULL, claim = NULL, completed_at = $2
       WHERE status = 'pending' RETURNING 1)
     SELECT count(*) AS total FROM failed`,
    [error, now],
  );
  return failed!.total;
}
