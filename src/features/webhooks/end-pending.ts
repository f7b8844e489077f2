import { type Queryable } from '../../platform/db/database.js';
import { toPublicId } from '../../platform/ids/ids.js';

/** Why a delivery to a disabled webhook fails. */
export function disabledError(webhook: string): string {
  return `The webhook ${toPublicId('wh', webhook)} is disabled.`;
}

/** So that it takes no longer than a statement may, also on a busy database. */
const AT_ONCE = 2_000;

/**
 * Gives up what waits to be sent to a webhook that was disabled or deleted, thousands at once: a sender that comes upon
 * more goes on with it. One that is being sent is left to its sender, who says what came of it; it is given up when it
 * would be tried again. @returns how many.
 */
export async function endPending(on: Queryable, webhook: string, now: Date, error: string): Promise<number> {
  const [ended] = await on.query<{ total: number }>(
    `WITH ended AS (
       UPDATE webhook_deliveries d SET status = 'failed', error = $2, next_attempt_at = NULL, claim = NULL, completed_at = $3
       FROM (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL AND claim IS NULL
             LIMIT ${AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED) p
       WHERE d.id = p.id RETURNING 1)
     SELECT count(*) AS total FROM ended`,
    [webhook, error, now],
  );
  return ended!.total;
}
