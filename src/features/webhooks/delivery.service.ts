import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Transaction } from '../../platform/db/database.js';
import { type LinkKey, linkStatement, loadLinkedPages } from '../../platform/db/linked-pages.js';
import { findOwned, queryOwned } from '../../platform/db/owned-rows.js';
import { COUNT_LIMIT, type Page } from '../../platform/db/pagination.js';
import { AppError, notFound } from '../../platform/errors.js';
import { newUuid, timeOf, toPublicId } from '../../platform/ids/ids.js';
import { KEPT_DAYS } from './record-events.js';
import { Webhook } from './webhook.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { TEST_EVENT } from './webhook-event-type.js';

const COLUMNS = columnsOf(WebhookDelivery, 'd');
const KEPT_MS = KEPT_DAYS * 86_400_000;

const OF_WEBHOOK = linkStatement({
  columns: COLUMNS,
  from: 'webhook_deliveries d',
  where: 'd.webhook_id = p.parent AND d.account_id = $1 AND (p.filter IS NULL OR d.status = p.filter)',
  id: 'd.id',
  countUpTo: COUNT_LIMIT,
});

/** The event of a new delivery. */
interface Source {
  eventUuid: string;
  firstUuid: string | null;
  type: string;
  /** How many runs in a row led to this delivery. */
  hops: number;
}

/** The log of deliveries, and deliveries requested by clients. */
export class DeliveryService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** A page of deliveries for each of many webhooks, with one statement. A key's `filter` is a status. */
  ofWebhooks({ accountId }: RequestContext, keys: readonly LinkKey[]): Promise<Page<WebhookDelivery>[]> {
    return loadLinkedPages(this.db, WebhookDelivery, OF_WEBHOOK, accountId, keys);
  }

  /**
   * Sends a `webhook.test` event once. @throws AppError `not_found`, `unauthorized`; `conflict` if the webhook is
   * disabled.
   */
  async test(context: RequestContext, id: string): Promise<WebhookDelivery> {
    return this.db.transaction(async (tx) => {
      const webhook = await this.lock(tx, context, id);
      const now = this.clock.now();
      const eventUuid = newUuid(now);
      const body = JSON.stringify({ type: TEST_EVENT, timestamp: now, data: { webhook_id: webhook.id } });
      const { accountId, hops } = context;
      await tx.query(
        `INSERT INTO webhook_events (id, account_id, hops, body, keep_until) VALUES ($1, $2, $3, $4, $5)`,
        [eventUuid, accountId, hops, body, new Date(now.getTime() + KEPT_MS)],
      );
      return this.insert(tx, webhook, { eventUuid, firstUuid: null, type: TEST_EVENT, hops });
    });
  }

  /** Sends an event again with the same `webhook-id`, as a new delivery. @throws AppError as `test` does. */
  async redeliver(context: RequestContext, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.db.transaction(async (tx) => {
      const webhook = await this.lock(tx, context, webhookId);
      const { accountId, uuid: webhookUuid } = webhook;
      const old = await queryOwned(tx, { table: 'webhook_deliveries', accountId, id: deliveryId }, (uuid) =>
        tx.select(
          WebhookDelivery,
          `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.id = $1 AND d.webhook_id = $2 AND d.account_id = $3`,
          [uuid, webhookUuid, accountId],
        ),
      );
      const { eventUuid, type } = old;
      const [kept] = await tx.query(`UPDATE webhook_events SET keep_until = $2 WHERE id = $1 RETURNING 1 AS one`, [
        eventUuid,
        new Date(this.clock.now().getTime() + KEPT_MS),
      ]);
      // The event was just deleted, and its delivery is about to be.
      if (kept === undefined) throw notFound('webhook delivery');
      return this.insert(tx, webhook, { eventUuid, type, firstUuid: old.firstUuid ?? old.uuid, hops: context.hops });
    });
  }

  /** Locks an enabled webhook, which stays enabled until the commit. */
  private async lock(tx: Transaction, { accountId }: RequestContext, id: string): Promise<Webhook> {
    const webhook = await findOwned(tx, { table: 'webhooks', accountId, id, lock: 'FOR NO KEY UPDATE' }, Webhook);
    if (webhook.status === 'disabled')
      throw new AppError('conflict', `${toPublicId('wh', webhook.uuid)} is disabled: enable it first.`);
    return webhook;
  }

  private async insert(
    tx: Transaction,
    { accountId, uuid: webhook }: Webhook,
    { eventUuid, firstUuid, type, hops }: Source,
  ): Promise<WebhookDelivery> {
    const uuid = newUuid(this.clock.now());
    const [delivery] = await tx.select(
      WebhookDelivery,
      `INSERT INTO webhook_deliveries AS d
         (id, account_id, webhook_id, event_id, first_id, type, status, attempts, next_attempt_at, created_at, hops)
       VALUES ($1, $2, $3, $4, $5, $6, 'pending', 0, $7, $7, $8) RETURNING ${COLUMNS}`,
      [uuid, accountId, webhook, eventUuid, firstUuid, type, timeOf(uuid), hops],
    );
    return delivery!;
  }
}
