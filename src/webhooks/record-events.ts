import { type Queryable } from '../db/database.js';
import { newUuid } from '../ids.js';
import { type WebhookEventType } from './webhook-event-type.js';

/** How long events and the log of their deliveries are kept. */
export const KEPT_DAYS = 30;

/** Something that happened in an account, to be told to the webhooks that are registered for it. */
export interface WebhookEvent {
  type: WebhookEventType;
  accountId: string;
  /** Of which workflow, where it is of one. */
  workflowUuid: string | null;
  /** What it is about, in REST's shape. */
  data: object;
  /** How many of our own runs in a row led to it. */
  hops?: number;
}

/**
 * CTEs that make a delivery of each event for each enabled webhook that wants it, in the statement they are part of.
 * `events` selects `id`, `account_id`, `type`, `workflow_id`, `hops`, `body` and `at`; an event that nobody wants
 * leaves nothing.
 */
export function recordingCtes(events: string): string {
  return `
    told AS (${events}),
    wanted AS (
      SELECT uuid_at(t.at) AS id, t.account_id, w.id AS webhook_id, t.id AS event_id, t.type, t.at
      FROM told t JOIN webhooks w ON ${wants('w', 't.account_id', 't.type', 't.workflow_id')}),
    kept AS (
      INSERT INTO webhook_events (id, account_id, hops, body, keep_until)
      SELECT t.id, t.account_id, t.hops, t.body, t.at + interval '${KEPT_DAYS} days' FROM told t
      WHERE t.id IN (SELECT event_id FROM wanted)),
    delivered AS (
      INSERT INTO webhook_deliveries (id, account_id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at)
      SELECT id, account_id, webhook_id, event_id, type, 'pending', 0, at, at FROM wanted)`;
}

/** SQL for whether any webhook wants an event; the parameters are SQL too. */
export function isWanted(accountId: string, type: string, workflowId: string): string {
  return `EXISTS (SELECT 1 FROM webhooks registered WHERE ${wants('registered', accountId, type, workflowId)})`;
}

function wants(webhook: string, accountId: string, type: string, workflowId: string): string {
  return `${webhook}.account_id = ${accountId} AND ${webhook}.status = 'enabled' AND ${type} = ANY (${webhook}.events)
    AND (${webhook}.workflow_id IS NULL OR ${webhook}.workflow_id = ${workflowId})`;
}

const RECORD = `
  WITH ${recordingCtes(
    `SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[], $6::text[], $7::timestamptz[])
     AS e (id, account_id, type, workflow_id, hops, body, at)`,
  )}
  SELECT 1`;

/** Records events with the caller's transaction: they are told exactly when what they tell of is committed. */
export async function recordEvents(tx: Queryable, now: Date, events: readonly WebhookEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(RECORD, [
    events.map(() => newUuid(now)),
    events.map(({ accountId }) => accountId),
    events.map(({ type }) => type),
    events.map(({ workflowUuid }) => workflowUuid),
    events.map(({ hops = 0 }) => hops),
    events.map(({ type, data }) => JSON.stringify({ type, timestamp: now, data })),
    events.map(() => now),
  ]);
}
