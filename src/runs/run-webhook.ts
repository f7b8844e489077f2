import { columnsOf } from '../db/columns.js';
import { type Queryable } from '../db/database.js';
import { isWanted, recordEvents, type WebhookEvent } from '../webhooks/record-events.js';
import { Run } from './run.entity.js';

type EndedRun = Run & { status: 'succeeded' | 'failed' | 'canceled' };

/** Runs told of by one statement: an input may have a megabyte. */
const AT_ONCE = 20;
/** A run that was skipped never was under way, so that its end is no news; a test is news to nobody but who makes it. */
const WANTED = `r.status <> 'skipped' AND NOT r.is_test AND r.finished_at IS NOT NULL
  AND ${isWanted('r.account_id', `'run.' || r.status`, 'r.workflow_id')}`;

const SELECT = `SELECT ${columnsOf(Run, 'r')}, EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.trigger_id) AS "triggerExists"
  FROM runs r`;

/**
 * Tells webhooks of runs that have ended, with the transaction that ended them. Where none wants to hear it, which is
 * found out by one statement for all, it costs no more.
 */
export async function tellOfEndedRuns(tx: Queryable, now: Date, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  const sorted = [...uuids].sort();
  const wanted = await tx.query<{ uuid: string }>(
    // The bounds let PostgreSQL leave out the partitions of other weeks.
    `SELECT r.id AS uuid FROM runs r WHERE r.id = ANY ($1) AND r.id >= $2 AND r.id <= $3 AND ${WANTED} ORDER BY r.id`,
    [sorted, sorted[0], sorted.at(-1)],
  );
  await tell(
    tx,
    now,
    wanted.map(({ uuid }) => uuid),
  );
}

async function tell(tx: Queryable, now: Date, uuids: readonly string[]): Promise<void> {
  for (let from = 0; from < uuids.length; from += AT_ONCE) {
    const some = uuids.slice(from, from + AT_ONCE);
    const runs = await tx.select(Run, `${SELECT} WHERE r.id = ANY ($1) AND r.id >= $2 AND r.id <= $3 ORDER BY r.id`, [
      some,
      some[0],
      some.at(-1),
    ]);
    await recordEvents(tx, now, (runs as EndedRun[]).map(eventOf));
  }
}

/** In REST's shape, but for its steps. */
function eventOf(run: EndedRun): WebhookEvent {
  return {
    type: `run.${run.status}`,
    accountId: run.accountId,
    workflowUuid: run.workflowUuid,
    hops: run.hops,
    data: {
      id: run.id,
      workflow_id: run.workflowId,
      trigger_id: run.triggerId,
      trigger_type: run.triggerType,
      status: run.status,
      status_reason: run.statusReason,
      attempt: run.attempt,
      retry_of: run.retryOf,
      input: run.input,
      error: run.error,
      scheduled_for: run.scheduledFor,
      created_at: run.createdAt,
      started_at: run.startedAt,
      finished_at: run.finishedAt,
    },
  };
}
