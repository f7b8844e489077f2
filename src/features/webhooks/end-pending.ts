import { changeTimeSql } from '../../platform/changes/change-time.js';
import { type Queryable, type Transaction } from '../../platform/db/database.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { type DisabledReason } from './webhook-status.js';

/** The error of a delivery to a disabled webhook. */
export function disabledError(webhook: string): string {
  return `The webhook ${toPublicId('wh', webhook)} is disabled.`;
}

/** Bounds the time of one statement, also on a busy database. */
const AT_ONCE = 2_000;

/**
 * Fails up to 2,000 pending deliveries of a disabled or deleted webhook. A sender that finds more calls it again.
 * Deliveries being sent are left to their sender, and fail instead of being retried. @returns the number of failed
 * deliveries.
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

/** Disables a webhook whose row the caller has locked, on behalf of the service. */
export async function disableWebhook(
  tx: Transaction,
  webhook: string,
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  const updatedAt = changeTimeSql('$3', 'updated_at');
  await tx.query(
    `UPDATE webhooks SET status = 'disabled', status_reason = $2, updated_at = ${updatedAt} WHERE id = $1`,
    [webhook, reason, now],
  );
  await endPending(tx, webhook, now, disabledError(webhook));
}
