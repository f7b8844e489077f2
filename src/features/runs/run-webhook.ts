import { columnsOf } from '../../platform/db/columns.js';
import { type Transaction } from '../../platform/db/database.js';
import { DataAround, isWanted, recordEvents, type WebhookEvent } from '../webhooks/record-events.js';
import { followStreaks, streakEnds, streakOf } from './failures/streaks.js';
import { LARGE_COLUMNS } from './run-columns.js';
import { Run } from './run.entity.js';
import { isFinished, type RunEnd, type RunStatus } from './run-status.js';

type ReportedRun = Run & { status: RunEnd | 'waiting'; payloadUuid: string | null };

/** Runs read by one statement: rows of earlier versions may hold a megabyte of input each. */
const AT_ONCE = 20;

/** A run that has ended or waits, as its change describes it. */
export interface Reported {
  run: string;
  account: string;
  workflow: string;
  to: RunStatus;
  /** Milliseconds since 1970. */
  at: number;
}

const SELECT = `SELECT ${columnsOf(Run, 'r', LARGE_COLUMNS)}, r.input::text AS "inputText", r.payload_id AS "payloadUuid",
    EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.trigger_id) AS "triggerExists"
  FROM runs r`;

/** Whether a change to this status makes an event. A skipped run never started. */
export function isReported(status: RunStatus): boolean {
  return status === 'waiting' || (isFinished(status) && status !== 'skipped');
}

/**
 * Records events of runs that end or wait, in the transaction that changes them, in the order of the runs, and follows
 * which workflows fail. Test runs make no events. One statement finds the runs whose event the log or a webhook wants, and
 * the workflows whose streak an end changes; if none, that is the whole cost.
 */
export async function recordRunEvents(tx: Transaction, now: Date, reported: readonly Reported[]): Promise<void> {
  if (reported.length === 0) return;
  const found = await tx.query<{ isWanted: boolean; streak: string | null }>(
    `SELECT ${isWanted('r.account_id', 'r.type', 'r.workflow_id')} AS "isWanted", ${streakOf('r.workflow_id')} AS streak
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) WITH ORDINALITY r (id, account_id, workflow_id, type, place)
     ORDER BY r.place`,
    [
      reported.map(({ run }) => run),
      reported.map(({ account }) => account),
      reported.map(({ workflow }) => workflow),
      reported.map(({ to }) => `run.${to}`),
    ],
  );
  const wanted = reported.filter((_, place) => found[place]!.isWanted).map(({ run }) => run);
  await tell(tx, now, wanted.sort());
  await followStreaks(
    tx,
    now,
    streakEnds(
      reported.map(({ run, workflow, to, at }, place) => ({ run, workflow, to, at, streak: found[place]!.streak })),
    ),
  );
}

async function tell(tx: Transaction, now: Date, uuids: readonly string[]): Promise<void> {
  for (let from = 0; from < uuids.length; from += AT_ONCE) {
    const some = uuids.slice(from, from + AT_ONCE);
    const runs = await tx.select(
      Run,
      `${SELECT} WHERE r.id = ANY ($1) AND r.id >= $2 AND r.id <= $3 AND NOT r.is_test ORDER BY r.id`,
      [some, some[0], some.at(-1)],
    );
    await recordEvents(tx, now, (runs as ReportedRun[]).map(eventOf));
  }
}

/** The run in REST's shape, without its steps and the headers and query of its post. A large input is referred to, not copied: it never changes. */
function eventOf(run: ReportedRun): WebhookEvent {
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
