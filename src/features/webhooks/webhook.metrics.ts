import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { type MetricSources } from '../../platform/feature.js';
import { type WebhookSender } from './sending/webhook-sender.js';

/** The maximum number of counted rows, which bounds the cost when many deliveries are pending. */
const COUNTED = 100_000;

/** Metrics of this process's sender, and of the shared tables. */
export function webhookMetrics(db: Database, clock: Clock, { counts }: Pick<WebhookSender, 'counts'>): MetricSources {
  return {
    webhook_attempts_total: {
      help: 'Attempts of this process to deliver to a webhook.',
      label: 'outcome',
      read: () => counts.attempts,
    },
    webhook_deliveries_ended_total: {
      help: 'Deliveries that this process has ended.',
      label: 'status',
      read: () => counts.ended,
    },
    webhook_deliveries_pending: {
      over: 'shared',
      help: 'Pending deliveries of all processes, up to 100,000: due now, and later or being sent.',
      label: 'state',
      read: () => pending(db, clock.now()),
    },
    webhooks_disabled: {
      over: 'shared',
      help: 'Disabled webhooks of all accounts, up to 100,000: gone, failing, backlog, or by a person.',
      label: 'reason',
      read: () => disabled(db),
    },
  };
}

async function pending(db: Database, now: Date): Promise<Record<string, number>> {
  const [counted] = await db.query<{ due: number; later: number }>(
    `SELECT count(*) FILTER (WHERE at <= $1) AS due, count(*) FILTER (WHERE at > $1) AS later FROM (
       SELECT next_attempt_at AS at FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL LIMIT ${COUNTED}) d`,
    [now],
  );
  return { ...counted! };
}

async function disabled(db: Database): Promise<Record<string, number>> {
  const rows = await db.query<{ reason: string; total: number }>(
    `SELECT coalesce(status_reason, 'person') AS reason, count(*) AS total FROM (
       SELECT status_reason FROM webhooks WHERE status = 'disabled' LIMIT ${COUNTED}) w GROUP BY 1`,
  );
  const totals = rows.map(({ reason, total }): [string, number] => [reason, total]);
  return { gone: 0, failing: 0, backlog: 0, person: 0, ...Object.fromEntries(totals) };
}
