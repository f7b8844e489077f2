import { type Queryable } from '../../platform/db/database.js';
import { newUuid } from '../../platform/ids/ids.js';
import { type WebhookEventType } from './webhook-event-type.js';

/** How long events and their deliveries are kept, in days. */
export const KEPT_DAYS = 30;

/** An event to deliver to the webhooks that are registered for it. */
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
  /** For a body that continues with a payload: the payload's uuid, and the text after it. */
  payload?: { uuid: string; tail: string };
  at: string;
  /** The uuids of the webhooks that wanted the event when it happened; null: those that want it now. */
  chosen?: string;
}

/**
 * SQL that creates a delivery for each enabled webhook registered for the event: an expression for a select list, whose
 * value is unused. If no webhook is registered, it costs one lookup, and the body is not built.
 */
export function recording({ event, accountId, type, workflowId, hops, body, payload, at, chosen }: EventSql): string {
  const bodyParts = payload === undefined ? body : `${body}, ${payload.uuid}, ${payload.tail}`;
  return `(SELECT record_webhook_event(array_agg(wanting.id), ${event}, ${accountId}, ${type}, ${hops}, ${bodyParts},
                                       ${at}, ${at} + interval '${KEPT_DAYS} days')
           FROM webhooks wanting WHERE ${wants('wanting', accountId, type, workflowId, chosen)} HAVING count(*) > 0)`;
}

/** SQL for whether any webhook is registered for an event. The parameters are SQL expressions. */
export function isWanted(accountId: string, type: string, workflowId: string, chosen?: string): string {
  return `EXISTS (SELECT 1 FROM webhooks registered WHERE ${wants('registered', accountId, type, workflowId, chosen)})`;
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

/** The enabled webhooks of an account that want events of a type, of any workflow. */
export async function webhooksFor(on: Queryable, accountId: string, type: WebhookEventType): Promise<string[]> {
  const rows = await on.query<{ uuid: string }>(
    `SELECT id AS uuid FROM webhooks WHERE account_id = $1 AND status = 'enabled' AND $2 = ANY (events)`,
    [accountId, type],
  );
  return rows.map(({ uuid }) => uuid);
}

const RECORD = `
  SELECT ${recording({
    event: 'e.id',
    accountId: 'e.account_id',
    type: 'e.type',
    workflowId: 'e.workflow_id',
    hops: 'e.hops',
    body: 'e.body',
    payload: { uuid: 'e.payload_id', tail: 'e.tail' },
    at: 'e.at',
    chosen: '$10::uuid[]',
  })}
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[], $6::text[], $7::timestamptz[], $8::uuid[], $9::text[])
    AS e (id, account_id, type, workflow_id, hops, body, at, payload_id, tail)`;

/**
 * Records events in the caller's transaction, so that they are sent exactly if the change is committed. `webhooks`
 * receive them if they were chosen when the change happened; by default those that want them now.
 */
export async function recordEvents(
  tx: Queryable,
  now: Date,
  events: readonly WebhookEvent[],
  webhooks: readonly string[] | null = null,
): Promise<void> {
  if (events.length === 0) return;
  const bodies = events.map(({ type, data }) => bodyOf({ type, timestamp: now }, data));
  await tx.query(RECORD, [
    events.map(() => newUuid(now)),
    events.map(({ accountId }) => accountId),
    events.map(({ type }) => type),
    events.map(({ workflowUuid }) => workflowUuid),
    events.map(({ hops = 0 }) => hops),
    bodies.map(({ body }) => body),
    events.map(() => now),
    bodies.map(({ payloadUuid }) => payloadUuid),
    bodies.map(({ tail }) => tail),
    webhooks,
  ]);
}

/** How a body is stored: whole, or the texts before and after a payload. */
interface StoredBody {
  body: string;
  payloadUuid: string | null;
  tail: string | null;
}

function bodyOf(head: object, data: object | DataAround): StoredBody {
  if (!(data instanceof DataAround)) return { body: JSON.stringify({ ...head, data }), payloadUuid: null, tail: null };
  const { before, name, value, after } = data;
  const body = `{${members(head)},"data":{${members(before)},${JSON.stringify(name)}:`;
  const tail = `,${members(after)}}}`;
  if ('text' in value) return { body: body + value.text + tail, payloadUuid: null, tail: null };
  return { body, payloadUuid: value.payloadUuid, tail };
}

function members(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
