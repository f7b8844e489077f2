import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database, type Queryable, type Transaction } from '../../../platform/db/database.js';
import { type LinkKey, linkStatement, loadLinkedPages } from '../../../platform/db/pages/linked-pages.js';
import { findOwned, queryOwned } from '../../../platform/db/owned-rows.js';
import { COUNT_LIMIT, emptyPage, type Page, type Span } from '../../../platform/db/pages/pagination.js';
import { type OwnedList, selectPage } from '../../../platform/db/pages/select-page.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { fromPublicId, MAX_UUID, MIN_UUID, newUuid, timeOf, toPublicId } from '../../../platform/ids/ids.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { copyPayload, isShared, payloadBody } from '../../../platform/payloads.js';
import { isAllowed } from '../../../platform/graphql/access.js';
import { type DeriveUrls, type EventText, eventText, wholeBody } from '../event-urls.js';
import { KEPT_DAYS } from '../record-events.js';
import { Webhook } from '../webhook.entity.js';
import { type DeliveriesOfWebhook, type DeliveryFilter } from '../webhook.inputs.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { TEST_EVENT } from '../webhook-event-type.js';

const COLUMNS = columnsOf(WebhookDelivery, 'd');
const KEPT_MS = KEPT_DAYS * 86_400_000;

const OF_WEBHOOK = linkStatement({
  columns: COLUMNS,
  from: 'webhook_deliveries d',
  where: `d.webhook_id = p.parent AND d.account_id = $1 AND (p.status IS NULL OR d.status = p.status)
    AND (p.type IS NULL OR d.type = p.type)
    AND d.id >= coalesce(p.since::uuid, '${MIN_UUID}') AND d.id < coalesce(p.until::uuid, '${MAX_UUID}')`,
  filters: ['status', 'type', 'since', 'until'],
  id: 'd.id',
  countUpTo: COUNT_LIMIT,
});

/** What an event sends. */
export interface EventBody {
  /** The first characters of the text. */
  beginning: string | null;
  body: string | null;
}

/** Characters that hold type, time and the id of what the event is about. */
const BEGINNING = 300;
/** The maximum size of a body in a list, in bytes. */
const LISTED_BYTES = 16_384;
const PAYLOAD = payloadBody('e.payload_id');
/** PostgreSQL knows the length of a text without reading it. */
const BODY_BYTES = `octet_length(e.body) + coalesce(octet_length(e.tail), 0) + coalesce(octet_length(${PAYLOAD}), 0)`;
const BODIES = `
  SELECT e.id AS uuid, left(e.body, ${BEGINNING}) AS beginning, ${eventText('e', PAYLOAD, `$3 OR ${BODY_BYTES} <= ${LISTED_BYTES}`)}
  FROM webhook_events e WHERE e.account_id = $1 AND e.id = ANY ($2)`;

/** The filters of a list of deliveries: times are ranges of ids, which have an index. */
export function filterTexts({ status, type, createdAfter, createdBefore }: DeliveryFilter) {
  return {
    status: status ?? null,
    type: type ?? null,
    since: createdAfter ? lowestUuidAt(createdAfter.getTime() + 1) : null,
    until: createdBefore ? lowestUuidAt(createdBefore.getTime()) : null,
  };
}

/** The event of a new delivery. */
interface Source {
  eventUuid: string;
  firstUuid: string | null;
  namesEvent: boolean;
  type: string;
  /** How many runs in a row led to this delivery. */
  hops: number;
}

/** The log of deliveries, and deliveries requested by clients. */
export class DeliveryService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly urls: DeriveUrls,
  ) {}

  /** One delivery of a webhook. @throws AppError `not_found`, or `unauthorized` if it belongs to another account. */
  async get({ accountId }: RequestContext, webhookId: string, id: string): Promise<WebhookDelivery> {
    const row = { table: 'webhooks', accountId, id: webhookId } as const;
    const { uuid: webhook } = await findOwned<{ uuid: string }>(this.db, row, 'id AS uuid');
    return this.ofWebhook(this.db, accountId, webhook, id);
  }

  /** Newest first. A webhook of another account has none. */
  async list(
    { accountId }: RequestContext,
    { webhookId, ...filter }: DeliveriesOfWebhook,
    span: Span,
    counts: boolean,
  ): Promise<Page<WebhookDelivery>> {
    const webhook = fromPublicId('wh', webhookId);
    if (webhook === undefined) return emptyPage(span, 'dlv');
    const { status, type, since, until } = filterTexts(filter);
    const list: OwnedList<WebhookDelivery> = {
      entity: WebhookDelivery,
      prefix: 'dlv',
      from: 'webhook_deliveries d',
      accountId,
      where: `d.webhook_id = $2 AND ($3::text IS NULL OR d.status = $3) AND ($4::text IS NULL OR d.type = $4)
        AND d.id >= coalesce($5::uuid, '${MIN_UUID}') AND d.id < coalesce($6::uuid, '${MAX_UUID}')`,
      values: [webhook, status, type, since, until],
      countUpTo: COUNT_LIMIT,
    };
    // With a filter it may read many rows that do not match.
    return selectPage(this.db.expensive, list, span, counts ? this.db.expensive : null);
  }

  /** A page of deliveries for each of many webhooks, with one statement. See `filterTexts` for the keys' filters. */
  ofWebhooks({ accountId }: RequestContext, keys: readonly LinkKey[]): Promise<Page<WebhookDelivery>[]> {
    return loadLinkedPages(this.db, WebhookDelivery, OF_WEBHOOK, accountId, keys);
  }

  /**
   * What each event sends, with one statement: its beginning, and the whole JSON text, of many events only up to 16 kB.
   * Both are null if the event was deleted. A read-only key sees no URLs of waits.
   */
  async bodies(context: RequestContext, eventUuids: readonly string[]): Promise<EventBody[]> {
    const rows = await this.db.query<EventText & { uuid: string; beginning: string }>(BODIES, [
      context.accountId,
      eventUuids,
      eventUuids.length === 1,
    ]);
    const withUrls = isAllowed(context.caller, 'write');
    const found = new Map(
      rows.map(({ uuid, beginning, ...text }) => [uuid, { beginning, body: wholeBody(text, this.urls, withUrls) }]),
    );
    return eventUuids.map((uuid) => found.get(uuid) ?? { beginning: null, body: null });
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
      return this.insert(tx, webhook, { eventUuid, firstUuid: null, namesEvent: true, type: TEST_EVENT, hops });
    });
  }

  /** Sends an event again with the same `webhook-id`, as a new delivery. @throws AppError as `test` does. */
  async redeliver(context: RequestContext, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
    return this.db.transaction(async (tx) => {
      const webhook = await this.lock(tx, context, webhookId);
      const { accountId, uuid: webhookUuid } = webhook;
      const old = await this.ofWebhook(tx, accountId, webhookUuid, deliveryId);
      const { eventUuid, type, namesEvent } = old;
      // The event was just deleted, and its delivery is about to be.
      if (!(await keepEvent(tx, this.clock.now(), eventUuid))) throw notFound('webhook delivery');
      const firstUuid = old.firstUuid ?? old.uuid;
      return this.insert(tx, webhook, { eventUuid, type, firstUuid, namesEvent, hops: context.hops });
    });
  }

  private ofWebhook(on: Queryable, accountId: string, webhookUuid: string, id: string): Promise<WebhookDelivery> {
    return queryOwned(on, { table: 'webhook_deliveries', accountId, id }, (uuid) =>
      on.select(
        WebhookDelivery,
        `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.id = $1 AND d.webhook_id = $2 AND d.account_id = $3`,
        [uuid, webhookUuid, accountId],
      ),
    );
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
    { eventUuid, firstUuid, namesEvent, type, hops }: Source,
  ): Promise<WebhookDelivery> {
    const uuid = newUuid(this.clock.now());
    const [delivery] = await tx.select(
      WebhookDelivery,
      `INSERT INTO webhook_deliveries AS d
         (id, account_id, webhook_id, event_id, first_id, names_event, type, status, attempts, next_attempt_at,
          created_at, hops)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, $8, $8, $9) RETURNING ${COLUMNS}`,
      [uuid, accountId, webhook, eventUuid, firstUuid, namesEvent, type, timeOf(uuid), hops],
    );
    return delivery!;
  }
}

/**
 * Keeps an event for 30 days from now, any number of times: an old payload is copied, so that its week can be dropped.
 * @returns false if the event is not stored any more.
 */
async function keepEvent(tx: Transaction, now: Date, event: string): Promise<boolean> {
  const [kept] = await tx.query<{ payloadUuid: string | null }>(
    `UPDATE webhook_events SET keep_until = $2 WHERE id = $1 RETURNING payload_id AS "payloadUuid"`,
    [event, new Date(now.getTime() + KEPT_MS)],
  );
  if (kept === undefined) return false;
  const { payloadUuid } = kept;
  const copy = payloadUuid === null || isShared(payloadUuid, now) ? undefined : await copyPayload(tx, now, payloadUuid);
  if (copy !== undefined) await tx.query(`UPDATE webhook_events SET payload_id = $2 WHERE id = $1`, [event, copy]);
  return true;
}
