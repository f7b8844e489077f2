import { type Queryable, type Transaction } from '../../platform/db/database.js';
import { newUuid } from '../../platform/ids/ids.js';
import { type WebhookEventType } from './webhook-event-type.js';

/** How long events and their deliveries are kept, in days. */
export const KEPT_DAYS = 30;

/** What an event takes besides its text in the log, and once more for the webhooks, in bytes: a row with its indexes. */
export const EVENT_BYTES = 256;
/** The same of a delivery before its first attempt. */
export const DELIVERY_BYTES = 512;

/** Where an event with a text of so many bytes was recorded. */
interface Recorded {
  text: number;
  isLogged: boolean | null;
  deliveries: number;
}

/** The bytes that a recorded event takes. */
export function eventBytes({ text, isLogged, deliveries }: Recorded): number {
  const copies = Number(isLogged) + Number(deliveries > 0);
  return copies * (EVENT_BYTES + text) + deliveries * DELIVERY_BYTES;
}

/** An event for the log of the account, and for the webhooks that are registered for it. */
export interface WebhookEvent {
  type: WebhookEventType;
  accountId: string;
  /** The workflow of the event; null for events of the account. */
  workflowUuid: string | null;
  /** The `data` of the body, in REST's shape. */
  data: object | DataAround;
  /** How many runs in a row led to it. */
  hops?: number;
}

/** Event data with one member that is already JSON and may be large. It comes between the other members. */
export class DataAround {
  constructor(
    readonly before: object,
    readonly name: string,
    /** The JSON text, or the payload that contains it and is inserted when the event is sent. */
    readonly value: { text: string } | { payloadUuid: string },
    readonly after: object,
    /** What the secret URLs between `before` and the member are derived from, if there are any (`event-urls.ts`). */
    readonly urlsOf: string | null = null,
  ) {}
}

/** An event whose values are SQL expressions; columns must be qualified with their table. */
export interface EventSql {
  /** A new uuid. */
  event: string;
  accountId: string;
  type: string;
  workflowId: string;
  hops: string;
  body: string;
  /** For a body in parts: the payload or what the URLs in the middle are derived from, and the text after it. */
  payload?: { uuid: string; tail: string; urlsOf: string };
  /** When it is delivered. */
  at: string;
  /** The `timestamp` of the body. */
  timestamp: string;
  /** The uuids of the webhooks that wanted the event when it happened; null: those that want it now. */
  chosen?: string;
}

/**
 * A statement for a `WITH` that adds the events of the rows `from` to the log of their accounts, in the order of these
 * rows. The body of an account without a log is not built.
 */
export function logging({ event, accountId, type, body, payload, timestamp }: EventSql, from: string): string {
  // A subquery, not a join, which could change the order.
  return `INSERT INTO event_arrivals (id, account_id, type, at, body, payload_id, tail, urls_of)
    SELECT ${event}, ${accountId}, ${type}, ${timestamp}, ${body}, ${partsOf(payload)}
    FROM ${from} WHERE (SELECT logging.event_log FROM accounts logging WHERE logging.id = ${accountId})`;
}

/**
 * SQL that creates a delivery for each enabled webhook registered for the event: an expression for a select list, whose
 * value is the number of deliveries. If no webhook is registered, it costs one lookup, and the body is not built.
 */
export function telling({ event, accountId, type, workflowId, hops, body, payload, at, chosen }: EventSql): string {
  // A function, so that a statement without a receiving webhook does not open the tables of webhooks. OFFSET 0: otherwise
  // PostgreSQL would look the webhooks up again for each use.
  // The function returns nothing: both branches of the inner CASE are the same.
  return `(SELECT CASE WHEN whose.webhooks IS NULL THEN 0 ELSE cardinality(whose.webhooks) + CASE WHEN
             record_deliveries(whose.webhooks, ${event}, ${accountId}, ${type}, ${hops}, ${body}, ${partsOf(payload)},
                               ${at}, ${at} + interval '${KEPT_DAYS} days') IS NULL THEN 0 ELSE 0 END END
           FROM (SELECT (SELECT array_agg(wanting.id) FROM webhooks wanting
                         WHERE ${wants('wanting', accountId, type, workflowId, chosen)}) AS webhooks OFFSET 0) whose)`;
}

function partsOf(payload: EventSql['payload']): string {
  return payload === undefined
    ? 'NULL::uuid, NULL::text, NULL::text'
    : `${payload.uuid}, ${payload.tail}, ${payload.urlsOf}`;
}

/**
 * SQL for whether the account keeps a log or any webhook is registered for an event. The parameters are SQL expressions.
 */
export function isWanted(accountId: string, type: string, workflowId: string, chosen?: string): string {
  return `(EXISTS (SELECT 1 FROM accounts logging WHERE logging.id = ${accountId} AND logging.event_log)
    OR EXISTS (SELECT 1 FROM webhooks registered WHERE ${wants('registered', accountId, type, workflowId, chosen)}))`;
}

function wants(webhook: string, accountId: string, type: string, workflowId: string, chosen?: string): string {
  const registered = `${webhook}.status = 'enabled' AND ${type} = ANY (${webhook}.events)`;
  const whose =
    chosen === undefined
      ? registered
      : `CASE WHEN ${chosen} IS NULL THEN ${registered} ELSE ${webhook}.id = ANY (${chosen}) END`;
  return `${webhook}.account_id = ${accountId} AND ${whose}
    AND (${webhook}.workflow_id IS NULL OR ${webhook}.workflow_id = ${workflowId})`;
}

/**
 * The enabled webhooks of an account that want events of a type, of any workflow; undefined if there is none and the
 * account keeps no log either.
 */
export async function webhooksFor(
  on: Queryable,
  accountId: string,
  type: WebhookEventType,
): Promise<string[] | undefined> {
  const [wanting] = await on.query<{ webhooks: string[]; isLogged: boolean }>(
    `SELECT event_log AS "isLogged", ARRAY(
       SELECT id FROM webhooks WHERE account_id = $1 AND status = 'enabled' AND $2 = ANY (events)) AS webhooks
     FROM accounts WHERE id = $1`,
    [accountId, type],
  );
  return wanting === undefined || (wanting.webhooks.length === 0 && !wanting.isLogged) ? undefined : wanting.webhooks;
}

const RECORDED: EventSql = {
  event: 'e.id',
  accountId: 'e.account_id',
  type: 'e.type',
  workflowId: 'e.workflow_id',
  hops: 'e.hops',
  body: 'e.body',
  payload: { uuid: 'e.payload_id', tail: 'e.tail', urlsOf: 'e.urls_of' },
  // `clock_now()` is the start of the transaction. A clock that was ahead delays a delivery by a second at most.
  at: `least(e.at, clock_now() + interval '1 s')`,
  timestamp: 'e.at',
  chosen: '$10::uuid[]',
};
const GIVEN = `unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[], $6::text[], $7::timestamptz[], $8::uuid[],
    $9::text[], $11::text[]) AS e (id, account_id, type, workflow_id, hops, body, at, payload_id, tail, urls_of)`;
const RECORD = `WITH logged AS (${logging(RECORDED, GIVEN)})
  SELECT ${telling(RECORDED)} AS deliveries, (SELECT a.event_log FROM accounts a WHERE a.id = e.account_id) AS "isLogged"
  FROM ${GIVEN}`;

/**
 * Records events in the caller's transaction, so that they are logged and sent exactly if the change is committed. `webhooks`
 * receive them if they were chosen when the change happened; by default those that want them now. `at` is the time of
 * the change, the `timestamp` of the bodies. For workflows, triggers and integrations it is a `changeTime`.
 */
export async function recordEvents(
  tx: Transaction,
  at: Date,
  events: readonly WebhookEvent[],
  webhooks: readonly string[] | null = null,
): Promise<void> {
  if (events.length === 0) return;
  const bodies = events.map(({ type, data }) => bodyOf({ type, timestamp: at }, data));
  const recorded = await tx.query<Omit<Recorded, 'text'>>(RECORD, [
    events.map(() => newUuid(at)),
    events.map(({ accountId }) => accountId),
    events.map(({ type }) => type),
    events.map(({ workflowUuid }) => workflowUuid),
    events.map(({ hops = 0 }) => hops),
    bodies.map(({ body }) => body),
    events.map(() => at),
    bodies.map(({ payloadUuid }) => payloadUuid),
    bodies.map(({ tail }) => tail),
    webhooks,
    bodies.map(({ urlsOf }) => urlsOf),
  ]);
  for (const [place, row] of recorded.entries()) {
    const { body, tail } = bodies[place]!;
    const text = Buffer.byteLength(body) + Buffer.byteLength(tail ?? '');
    tx.countStored(events[place]!.accountId, eventBytes({ ...row, text }));
  }
}

/** How a body is stored: whole, or the texts before and after what is inserted when it is read. */
interface StoredBody {
  body: string;
  payloadUuid: string | null;
  tail: string | null;
  urlsOf: string | null;
}

function bodyOf(head: object, data: object | DataAround): StoredBody {
  const whole = { payloadUuid: null, tail: null, urlsOf: null };
  if (!(data instanceof DataAround)) return { ...whole, body: JSON.stringify({ ...head, data }) };
  const { before, name, value, after, urlsOf } = data;
  const [start, member] = [`{${members(head)},"data":{${members(before)},`, `${JSON.stringify(name)}:`];
  const end = `,${members(after)}}}`;
  if ('payloadUuid' in value) return { ...whole, body: start + member, payloadUuid: value.payloadUuid, tail: end };
  const rest = member + value.text + end;
  return urlsOf === null ? { ...whole, body: start + rest } : { ...whole, body: start, tail: `,${rest}`, urlsOf };
}

function members(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
