import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { AppError, validationError } from '../../../platform/errors.js';
import { newUuid } from '../../../platform/ids/ids.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { KEPT_DAYS } from '../record-events.js';
import { Webhook } from '../webhook.entity.js';
import { REDELIVERED } from './redelivered.js';
import { type RedeliveryInput, type WebhookRedelivery } from './redelivery.inputs.js';

/** The most deliveries that one request sends again. */
const MAX_DELIVERIES = 100_000;
const KEPT_MS = KEPT_DAYS * 86_400_000;
/** Of times that a client computes as 30 days before its own clock, in milliseconds. */
const TOLERANCE_MS = 60_000;

/** Sends deliveries of a range of time again. A row names the range, and workers create the deliveries in batches. */
export class RedeliveryService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Matches are counted now; the deliveries follow in the background.
   * @throws AppError `not_found`, `unauthorized`, `validation_error`; `conflict` if the webhook is disabled or still
   * sends an earlier range again.
   */
  async start(context: RequestContext, webhookId: string, input: RedeliveryInput): Promise<WebhookRedelivery> {
    const { accountId, hops } = context;
    const now = this.clock.now();
    const { from, end } = rangeOf(input, now);
    const onlyFailed = input.status != null;
    const row = { table: 'webhooks', accountId, id: webhookId } as const;
    const { uuid: webhook } = await findOwned<{ uuid: string }>(this.db, row, 'id AS uuid');
    const [matching] = await this.db.expensive.query<{ count: number }>(
      `SELECT count(*) AS count FROM (
         SELECT 1 FROM webhook_deliveries d WHERE ${REDELIVERED} LIMIT ${MAX_DELIVERIES + 1}) m`,
      [webhook, from, end, onlyFailed],
    );
    const deliveries = matching!.count;
    if (deliveries > MAX_DELIVERIES) throw tooMany();
    await this.db.transaction(async (tx) => {
      const { status } = await findOwned(tx, { ...row, lock: 'FOR NO KEY UPDATE' }, Webhook);
      if (status === 'disabled') throw new AppError('conflict', `${webhookId} is disabled: enable it first.`);
      if (deliveries === 0) return;
      const stored = await tx.query(
        `INSERT INTO webhook_redeliveries (id, account_id, webhook_id, only_failed, next_id, end_id, hops)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (webhook_id) DO NOTHING RETURNING 1 AS one`,
        [newUuid(now), accountId, webhook, onlyFailed, from, end, hops],
      );
      if (stored.length === 0) throw new AppError('conflict', `${webhookId} still sends an earlier range again.`);
    });
    return { deliveries };
  }
}

/** The range of ids. It ends now, so that no new delivery enters it. */
function rangeOf({ since, until }: RedeliveryInput, now: Date): { from: string; end: string } {
  if (since.getTime() < now.getTime() - KEPT_MS - TOLERANCE_MS)
    throw validationError({ field: 'since', message: 'must be at most 30 days ago' });
  const end = Math.min(until?.getTime() ?? Infinity, now.getTime() + 1);
  if (until != null && until <= since) throw validationError({ field: 'until', message: 'must be after since' });
  return { from: lowestUuidAt(since.getTime()), end: lowestUuidAt(Math.max(end, since.getTime())) };
}

function tooMany(): AppError {
  const most = MAX_DELIVERIES.toLocaleString('en');
  return validationError({ field: 'until', message: `must be earlier: more than ${most} deliveries match` });
}
