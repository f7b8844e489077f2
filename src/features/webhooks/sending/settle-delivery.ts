import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type AccountMail } from '../../accounts/account-mail.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { disabledError, disableWebhook } from '../end-pending.js';
import { KEPT_DAYS } from '../record-events.js';
import { TEST_EVENT } from '../webhook-event-type.js';
import { type DeliveryStatus, type DisabledReason, type WebhookStatus } from '../webhook-status.js';
import { failingMail } from '../webhook-failing.email.js';
import { failedHere } from '../deliveries/delivery-try.js';
import { type ClaimedDelivery } from './claim-deliveries.js';
import { nextAttempt } from './retry-schedule.js';
import { type FailedSend, type SendOutcome } from './send-delivery.js';

/** A webhook that only failed for this long is disabled. */
export const FAILING_MS = 5 * 86_400_000;
const GONE = 410;
/**
 * How long the end of an attempt waits for the row of its webhook, in milliseconds. A client that changes the webhook may
 * keep it for seconds: the sender tries again without a connection.
 */
const LOCK_MS = 250;

interface WebhookState {
  status: WebhookStatus;
  url: string;
  failingSince: Date | null;
}

/** What settling deliveries needs. */
export interface SettleDependencies {
  db: Database;
  clock: Clock;
  mail: Pick<AccountMail, 'add'>;
}

/**
 * Saves the outcome of an attempt.
 * @returns the delivery's new status; undefined if another process has taken it over, which then decides.
 */
export async function settleDelivery(
  deps: SettleDependencies,
  of: ClaimedDelivery,
  outcome: SendOutcome,
): Promise<DeliveryStatus | undefined> {
  if (outcome.kind === 'canceled') return handBack(deps, of);
  if (outcome.kind === 'succeeded') return succeed(deps, of, outcome);
  return deps.db.transaction((tx) => fail(tx, deps, of, outcome), LOCK_MS);
}

/** Why a delivery can never be sent; undefined if it can. */
export function reasonToDrop({ target, body, webhookUuid, wasLost }: ClaimedDelivery): string | undefined {
  if (target === null) return `The webhook ${toPublicId('wh', webhookUuid)} was deleted.`;
  if (target.status === 'disabled') return disabledError(webhookUuid);
  return body === null && !wasLost ? `The event was deleted after ${KEPT_DAYS} days.` : undefined;
}

/** Fails a delivery that can't be sent. @returns as `settleDelivery` does. */
export async function dropDelivery({ db, clock }: SettleDependencies, of: ClaimedDelivery, error: string) {
  const { uuid, claim, wasLost, attempts } = of;
  const now = clock.now();
  const dropped = await db.query(
    `UPDATE webhook_deliveries SET status = 'failed', error = $3, attempts = $5, next_attempt_at = NULL,
       claim = NULL, completed_at = $4, tries = tries || $6::jsonb WHERE id = $1 AND claim = $2 RETURNING 1 AS one`,
    [...[uuid, claim, error, now, wasLost ? attempts : attempts - 1], JSON.stringify(wasLost ? failedHere(now) : [])],
  );
  return dropped.length > 0 ? ('failed' as const) : undefined;
}

async function handBack({ db, clock }: SettleDependencies, { uuid, claim }: ClaimedDelivery) {
  const handed = await db.query(
    `UPDATE webhook_deliveries SET attempts = attempts - 1, next_attempt_at = $3, claim = NULL
     WHERE id = $1 AND claim = $2 RETURNING 1 AS one`,
    [uuid, claim, clock.now()],
  );
  return handed.length > 0 ? ('pending' as const) : undefined;
}

async function succeed(
  { db, clock }: SettleDependencies,
  { uuid, claim }: ClaimedDelivery,
  { status, body, tried }: Extract<SendOutcome, { kind: 'succeeded' }>,
): Promise<DeliveryStatus | undefined> {
  const succeeded = await db.query(
    `WITH d AS (
       UPDATE webhook_deliveries SET status = 'succeeded', response_status = $3, response_body = $4, error = NULL,
         next_attempt_at = NULL, claim = NULL, completed_at = $5, tries = tries || $6::jsonb
       WHERE id = $1 AND claim = $2 RETURNING webhook_id),
     well AS (UPDATE webhooks w SET failing_since = NULL FROM d WHERE w.id = d.webhook_id AND w.failing_since IS NOT NULL)
     SELECT 1 AS one FROM d`,
    [uuid, claim, status, body, clock.now(), JSON.stringify(tried)],
  );
  return succeeded.length > 0 ? 'succeeded' : undefined;
}

async function fail(
  tx: Transaction,
  { clock, mail }: SettleDependencies,
  of: ClaimedDelivery,
  failure: FailedSend,
): Promise<DeliveryStatus | undefined> {
  const now = clock.now();
  // Locked before the delivery, so that the webhook is not disabled in between: that would miss claimed deliveries.
  const [webhook] = await tx.query<WebhookState>(
    `SELECT status, url, failing_since AS "failingSince" FROM webhooks WHERE id = $1 FOR NO KEY UPDATE`,
    [of.webhookUuid],
  );
  const isEnabled = webhook?.status === 'enabled';
  // Failures of a URL that was replaced since the claim, and internal errors, don't count against the webhook.
  const counted = isEnabled && failure.isOurs !== true && webhook.url === of.target!.url ? webhook : undefined;
  const disabledBy = counted && reasonToDisable(of, failure, counted, now);
  const isLast = !isEnabled || disabledBy !== undefined || of.type === TEST_EVENT;
  const again = isLast ? undefined : nextAttempt(now, of.attempts, failure.notBefore);
  if (!(await writeDown(tx, of, failure, { now, again }))) return undefined;
  if (disabledBy !== undefined) await disableWebhook(tx, of.webhookUuid, disabledBy, now);
  else if (counted?.failingSince === null && of.type !== TEST_EVENT)
    await tx.query(`UPDATE webhooks SET failing_since = $2 WHERE id = $1`, [of.webhookUuid, now]);
  if (disabledBy === 'failing')
    await mail.add(tx, failingMail({ ...of, url: of.target!.url, error: failure.error, at: now }));
  return again === undefined ? 'failed' : 'pending';
}

function reasonToDisable(
  { type, attempts }: ClaimedDelivery,
  { status }: FailedSend,
  { failingSince }: WebhookState,
  now: Date,
): DisabledReason | undefined {
  if (status === GONE) return 'gone';
  const isTooLong = failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_MS;
  // A first attempt is not enough: the receiver may have recovered since, and this failure may be a temporary one.
  return isTooLong && attempts > 1 && type !== TEST_EVENT ? 'failing' : undefined;
}

/** @returns false if another process has taken the delivery over. */
async function writeDown(
  tx: Transaction,
  { uuid, claim }: ClaimedDelivery,
  { status, body, error, tried }: FailedSend,
  { now, again }: { now: Date; again: Date | undefined },
): Promise<boolean> {
  const written = await tx.query(
    `UPDATE webhook_deliveries SET status = $3, response_status = $4, response_body = $5, error = $6,
       next_attempt_at = $7, claim = NULL, completed_at = $8, tries = tries || $9::jsonb
     WHERE id = $1 AND claim = $2 RETURNING 1 AS one`,
    [
      ...[uuid, claim, again ? 'pending' : 'failed', status, body, error, again ?? null, again ? null : now],
      JSON.stringify(tried),
    ],
  );
  return written.length > 0;
}
