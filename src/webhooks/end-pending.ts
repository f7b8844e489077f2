import { type Queryable } from '../db/database.js';

/** Why a delivery to a disabled webhook fails. */
export const DISABLED = 'The webhook is disabled.';

/**
 * Gives up what waits to be sent to a webhook that was disabled. One that is being sent is left to its sender, who says
 * what came of it; it is given up when it would be tried again.
 */
export async function endPending(on: Queryable, webhook: string, now: Date): Promise<void> {
  await on.query(
    `UPDATE webhook_deliveries d SET status = 'failed', error = $2, next_attempt_at = NULL, claim = NULL, completed_at = $3
     FROM (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL AND claim IS NULL
           FOR NO KEY UPDATE SKIP LOCKED) p
     WHERE d.id = p.id`,
    [webhook, DISABLED, now],
  );
}
