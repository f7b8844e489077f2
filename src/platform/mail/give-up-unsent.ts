import { type Queryable } from '../db/database.js';

/** Gives up every queued mail of a restored database: it may have been sent after the backup. @returns their number. */
export async function giveUpUnsent(on: Queryable, now: Date, error: string): Promise<number> {
  const [ended] = await on.query<{ total: number }>(
    `WITH ended AS (
       UPDATE mails SET status = 'given_up', last_error = $1, next_attempt_at = NULL, claim = NULL, ended_at = $2
       WHERE status = 'queued' RETURNING 1)
     SELECT count(*) AS total FROM ended`,
    [error, now],
  );
  return ended!.total;
}
