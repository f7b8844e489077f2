import { type StepError } from '../../actions/step-work.js';
import { type Transaction } from '../../../platform/db/database.js';
import { type RunChange } from '../feed/run.events.js';
import { isFinished, type RunStatus } from '../run-status.js';
import { type ClaimedRun, type NextStep } from './claimed-run.js';

/** The new values of a run's locked row. */
export interface RunRow {
  run: Pick<ClaimedRun, 'uuid' | 'accountId' | 'workflowUuid'>;
  from: RunStatus;
  status: RunStatus;
  reason: string | null;
  error: StepError | null;
  /** When to queue the run again. */
  resumeAt: Date | null;
  /** The claim of the worker that has the run. */
  claim: string | null;
  workersLost: number;
  /** When the first worker started the run. */
  startedAt: Date | null;
  version: number;
}

type Standing = RunRow['run'] & { version: number; startedAt: Date | null; claim?: string; workersLost: number };

/** The row of a run after a step. `from` is its status before. A pause or an end resets the count of lost workers. */
export function rowAfter(run: Standing, from: RunStatus, then: NextStep): RunRow {
  const status = then.kind === 'end' ? then.status : 'running';
  const isHeld = then.kind === 'next';
  return {
    run,
    from,
    status,
    reason: (then.kind === 'end' && then.reason) || null,
    error: (then.kind === 'end' && then.error) || null,
    resumeAt: then.kind === 'resume' ? then.at : null,
    claim: (isHeld && run.claim) || null,
    workersLost: isHeld ? run.workersLost : 0,
    startedAt: run.startedAt,
    version: run.version + course(from, status, run.startedAt !== null).length,
  };
}

/** Writes many run rows with one statement. @returns the changes to publish. */
export async function saveRuns(tx: Transaction, now: Date, rows: readonly RunRow[]): Promise<RunChange[]> {
  if (rows.length === 0) return [];
  const column = <T>(of: (row: RunRow) => T): T[] => rows.map(of);
  const ids = column(({ run }) => run.uuid);
  const sorted = [...ids].sort();
  await tx.query(
    `UPDATE runs r SET status = n.status, status_reason = n.reason, error = n.error, resume_at = n.resume_at,
       claim = n.claim, workers_lost = n.lost, started_at = n.started_at, version = n.version,
       finished_at = CASE WHEN n.is_over THEN $1::timestamptz END
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::json[], $6::timestamptz[], $7::uuid[], $8::int[],
                 $9::timestamptz[], $10::int[], $11::bool[])
          n (id, status, reason, error, resume_at, claim, lost, started_at, version, is_over)
     -- The bounds let PostgreSQL leave out the partitions of other weeks.
     WHERE r.id = n.id AND r.id >= $12 AND r.id <= $13`,
    [
      now,
      ids,
      column(({ status }) => status),
      column(({ reason }) => reason),
      column(({ error }) => error && JSON.stringify(error)),
      column(({ resumeAt }) => resumeAt),
      column(({ claim }) => claim),
      column(({ workersLost }) => workersLost),
      column(({ startedAt }) => startedAt),
      column(({ version }) => version),
      column(({ status }) => isFinished(status)),
      sorted[0],
      sorted.at(-1),
    ],
  );
  return rows.flatMap((row) => changesOf(row, now));
}

/** The states that a run passes through. A run that starts and ends in one write passes through `running`. */
function course(from: RunStatus, to: RunStatus, began: boolean): RunStatus[] {
  if (from === to) return [];
  return from === 'queued' && began && isFinished(to) ? ['running', to] : [to];
}

function changesOf({ run, from, status, startedAt, version }: RunRow, now: Date): RunChange[] {
  const { uuid, accountId, workflowUuid } = run;
  const states = course(from, status, startedAt !== null);
  return states.map((to, place) => ({
    run: uuid,
    account: accountId,
    workflow: workflowUuid,
    from: states[place - 1] ?? from,
    to,
    version: version + place + 1 - states.length,
    at: now.getTime(),
  }));
}
