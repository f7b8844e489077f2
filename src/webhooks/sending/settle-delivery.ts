import { type Clock } from '../../clock.js';
import { type Database, type Transaction } from '../../db/database.js';
import { type AccountMail } from '../../accounts/account-mail.js';
import { DISABLED, endPending } from '../end-pending.js';
import { TEST_EVENT } from '../webhook-event-type.js';
import { type DisabledReason } from '../webhook-status.js';
import { failingMail } from '../webhook-failing.email.js';
import { type ClaimedDelivery } from './claim-deliveries.js';
import { nextAttempt } from './retry-schedule.js';
import { type SendOutcome } from './send-delivery.js';

/** A webhook that did nothing but fail for so long is disabled. */
const FAILING_MS = 5 * 86_400_000;
const GONE = 410;

type Failure = Extract<SendOutcome, { kind: 'failed' }>;

export interface SettleDependencies {
  db: Database;
  clock: Clock;
  mail: Pick<AccountMail, 'add'>;
}

/** Writes down what came of an attempt. One that another process has taken over meanwhile is left to it. */
export async function settleDelivery(
  its: SettleDependencies,
  of: ClaimedDelivery,
  outcome: SendOutcome,
): Promise<void> {
  if (outcome.kind === 'canceled') await handBack(its, of);
  else if (outcome.kind === 'succeeded') await succeed(its, of, outcome);
  else await its.db.transaction((tx) => fail(tx, its, of, outcome));
}

/** Ends a delivery that can't be sent: its webhook is gone or disabled, or its event was pruned. */
export async function dropDelivery({ db, clock }: SettleDependencies, { uuid, claim }: ClaimedDelivery): Promise<void> {
  await db.query(
    `UPDATE webhook_deliveries SET status = 'failed', error = $3, attempts = attempts - 1, next_attempt_at = NULL,
       claim = NULL, completed_at = $4 WHERE id = $1 AND claim = $2`,
    [uuid, claim, DISABLED, clock.now()],
  );
}

async function handBack({ db, clock }: SettleDependencies, { uuid, claim }: ClaimedDelivery): Promise<void> {
  await db.query(
    `UPDATE webhook_deliveries SET attempts = attempts - 1, next_attempt_at = $3, claim = NULL
     WHERE id = $1 AND claim = $2`,
    [uuid, claim, clock.now()],
  );
}

async function succeed(
  { db, clock }: SettleDependencies,
  { uuid, claim }: ClaimedDelivery,
  { status, body }: Extract<SendOutcome, { kind: 'succeeded' }>,
): Promise<void> {
  await db.query(
    `WITH d AS (
       UPDATE webhook_deliveries SET status = 'succeeded', response_status = $3, response_body = $4, error = NULL,
         next_attempt_at = NULL, claim = NULL, completed_at = $5
       WHERE id = $1 AND claim = $2 RETURNING webhook_id)
     UPDATE webhooks w SET failing_since = NULL FROM d WHERE w.id = d.webhook_id AND w.failing_since IS NOT NULL`,
    [uuid, claim, status, body, clock.now()],
  );
}

async function fail(tx: Transaction, { clock, mail }: SettleDependencies, of: ClaimedDelivery, failure: Failure) {
  const now = clock.now();
  const isTest = of.type === TEST_EVENT;
  const again = isTest || failure.status === GONE ? undefined : nextAttempt(now, of.attempts, failure.notBefore);
  const [settled] = await tx.query(
    `UPDATE webhook_deliveries SET status = $3, response_status = $4, response_body = $5, error = $6,
       next_attempt_at = $7, claim = NULL, completed_at = $8
     WHERE id = $1 AND claim = $2 RETURNING 1`,
    [
      of.uuid,
      of.claim,
      again === undefined ? 'failed' : 'pending',
      failure.status,
      failure.body,
      failure.error,
      again ?? null,
      again === undefined ? now : null,
    ],
  );
  if (settled === undefined) return;
  if (failure.status === GONE) await disable(tx, of.webhookUuid, 'gone', now);
  else if (!isTest && (await hasFailedTooLong(tx, of, now))) {
    const disabled = await disable(tx, of.webhookUuid, 'failing', now);
    if (disabled) await mail.add(tx, failingMail({ ...of, url: of.target!.url, error: failure.error, at: now }));
  }
}

/** A first attempt alone decides nothing: what failed five days ago may be long mended, and this a moment's trouble. */
async function hasFailedTooLong(tx: Transaction, { webhookUuid, attempts }: ClaimedDelivery, now: Date) {
  const [webhook] = await tx.query<{ since: Date }>(
    `WITH began AS (UPDATE webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL)
     SELECT coalesce(failing_since, $2) AS since FROM webhooks WHERE id = $1`,
    [webhookUuid, now],
  );
  return webhook !== undefined && attempts > 1 && now.getTime() - webhook.since.getTime() >= FAILING_MS;
}

async function disable(tx: Transaction, webhook: string, reason: DisabledReason, now: Date): Promise<boolean> {
  const [disabled] = await tx.query(
    `UPDATE webhooks SET status = 'disabled', status_reason = $2 WHERE id = $1 AND status = 'enabled' RETURNING 1`,
    [webhook, reason],
  );
  if (disabled !== undefined) await endPending(tx, webhook, now);
  return disabled !== undefined;
}
