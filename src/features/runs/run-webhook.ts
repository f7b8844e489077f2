import { columnsOf } from '../../platform/db/columns.js';
import { type Queryable } from '../../platform/db/database.js';
import { DataAround, isWanted, recordEvents, type WebhookEvent } from '../webhooks/record-events.js';
import { LARGE_COLUMNS } from './run-columns.js';
import { Run } from './run.entity.js';
import { type RunEnd, type RunStatus } from './run-status.js';

type EndedRun = Run & { status: RunEnd; payloadUuid: string | null };

/** Runs read by one statement: rows of earlier versions may hold a megabyte of input each. */
const AT_ONCE = 20;

/** A run that has ended, as its change describes it. */
export interface Ended {
  run: string;
  account: string;
  workflow: string;
  to: RunStatus;
}

const SELECT = `SELECT ${columnsOf(Run, 'r', LARGE_COLUMNS)}, r.input::text AS "inputText", r.payload_id AS "payloadUuid",
    EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.trigger_id) AS "triggerExists"
  FROM runs r`;

/**
 * Records webhook events for ended runs in the transaction that ended them. Test runs make no events. One statement
 * checks which runs any webhook wants; if none, that is the whole cost.
 */
export async function recordEndedRuns(tx: Queryable, now: Date, ended: readonly Ended[]): Promise<void> {
  // A skipped run never started, so it makes no event.
  const recordable = ended.filter(({ to }) => to !== 'skipped');
  if (recordable.length === 0) return;
  const wanted = await tx.query<{ uuid: string }>(
    `SELECT r.id AS uuid FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) r (id, account_id, workflow_id, type)
     WHERE ${isWanted('r.account_id', 'r.type', 'r.workflow_id')} ORDER BY r.id`,
    [
      recordable.map(({ run }) => run),
      recordable.map(({ account }) => account),
      recordable.map(({ workflow }) => workflow),
      recordable.map(({ to }) => `run.${to}`),
    ],
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
    const runs = await tx.select(
      Run,
      `${SELECT} WHERE r.id = ANY ($1) AND r.id >= $2 AND r.id <= $3 AND NOT r.is_test ORDER BY r.id`,
      [some, some[0], some.at(-1)],
    );
    await recordEvents(tx, now, (runs as EndedRun[]).map(eventOf));
  }
}

/** The run in REST's shape, without its steps and the headers and query of its post. A large input is referred to, not copied: an ended run never changes. */
function eventOf(run: EndedRun): WebhookEvent {
  const { payloadUuid, inputText } = run;
  return {
    type: `run.${run.status}`,
    accountId: run.accountId,
    workflowUuid: run.workflowUuid,
    hops: run.hops,
    data: new DataAround(
      {
        id: run.id,
        workflow_id: run.workflowId,
        trigger_id: run.triggerId,
        trigger_type: run.triggerType,
        status: run.status,
        status_reason: run.statusReason,
        attempt: run.attempt,
        retry_of: run.retryOf,
      },
      'input',
      payloadUuid === null ? { text: inputText ?? 'null' } : { payloadUuid },
      {
        error: run.error,
        scheduled_for: run.scheduledFor,
        created_at: run.createdAt,
        started_at: run.startedAt,
        finished_at: run.finishedAt,
      },
    ),
  };
}
