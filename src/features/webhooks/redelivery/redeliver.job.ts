import { type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type PeriodicJob } from '../../../platform/jobs/periodic.js';
import { WorkRows } from '../../../platform/jobs/work-rows.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { KEPT_DAYS } from '../record-events.js';
import { REDELIVERED } from './redelivered.js';

/** Deliveries that one transaction looks at. */
const AT_ONCE = 500;

interface Redelivery {
  webhook: string;
  onlyFailed: boolean;
  next: string;
  end: string;
  hops: number;
}

/** The next deliveries of a range, and the first one after them. A pending one is attempted at once, without another. */
const BATCH = `
  WITH part AS (
    SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND id >= $2 AND id < $3 ORDER BY id LIMIT ${AT_ONCE} + 1),
  further AS (SELECT id FROM part ORDER BY id OFFSET ${AT_ONCE}),
  picked AS (
    SELECT d.* FROM webhook_deliveries d JOIN part ON part.id = d.id
    WHERE d.id < coalesce((SELECT id FROM further), $3) AND ${REDELIVERED}),
  sooner AS (
    UPDATE webhook_deliveries d SET next_attempt_at = $5 FROM picked p
    WHERE d.id = p.id AND d.status = 'pending' AND d.claim IS NULL AND d.next_attempt_at > $5),
  kept AS (
    UPDATE webhook_events e SET keep_until = greatest(e.keep_until, $6) FROM picked p
    WHERE e.id = p.event_id AND p.status <> 'pending' RETURNING p.id),
  again AS (
    INSERT INTO webhook_deliveries
      (id, account_id, webhook_id, event_id, first_id, names_event, type, status, attempts, next_attempt_at, created_at, hops)
    SELECT uuid_at($5), p.account_id, p.webhook_id, p.event_id, p.id, p.names_event, p.type, 'pending', 0, $5, $5, $7
    FROM picked p JOIN kept ON kept.id = p.id)
  SELECT (SELECT id FROM further) AS next`;

/** Sends the deliveries of ranges again, in batches. */
export function redeliverJob(db: Database, clock: Clock, logger: Logger): PeriodicJob {
  const rows = new WorkRows<Redelivery>(db, logger, {
    table: 'webhook_redeliveries',
    columns: 'webhook_id AS webhook, only_failed AS "onlyFailed", next_id AS next, end_id AS end, hops',
    work: (tx, row) => redeliverNext(tx, clock.now(), row),
    failure: 'webhooks: deliveries could not be sent again',
  });
  return {
    name: 'redeliver webhooks',
    what: 'Sends the deliveries of a webhook in a range of time again, as clients request it.',
    everyMs: 1_000,
    run: (signal) => rows.run(signal),
  };
}

async function redeliverNext(tx: Transaction, now: Date, row: Redelivery & { id: string }): Promise<boolean> {
  const { id, webhook, onlyFailed, next, end, hops } = row;
  // Locked, so that the webhook stays enabled until the commit. Nothing is sent to a disabled one.
  const [target] = await tx.query<{ status: string }>(`SELECT status FROM webhooks WHERE id = $1 FOR NO KEY UPDATE`, [
    webhook,
  ]);
  if (target?.status !== 'enabled') return false;
  const keepUntil = new Date(now.getTime() + KEPT_DAYS * 86_400_000);
  const [part] = await tx.query<{ next: string | null }>(BATCH, [webhook, next, end, onlyFailed, now, keepUntil, hops]);
  if (part!.next === null) return false;
  await tx.query(`UPDATE webhook_redeliveries SET next_id = $2 WHERE id = $1`, [id, part!.next]);
  return true;
}
