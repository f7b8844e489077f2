import { type StepError } from '../../actions/step-work.js';
import { laterOf } from '../../../platform/clock.js';
import { type Transaction } from '../../../platform/db/database.js';
import { RowArrays } from '../../../platform/db/row-arrays.js';
import { timeOf } from '../../../platform/ids/ids.js';
import { marksUpTo } from '../feed/change-marks.js';
import { type RunChange } from '../queue/runs-changed.js';
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
  /** The present, but not before the latest change. */
  at: Date;
}

/** A run as its locked row has it. */
export type StandingRun = RunRow['run'] & {
  version: number;
  startedAt: Date | null;
  waitChangedAt: Date | null;
  claim?: string;
  workersLost: number;
};

/** The row of a run after a step. `from` is its status before. A pause or an end resets the count of lost workers. */
export function rowAfter(run: StandingRun, from: RunStatus, then: NextStep, now: Date): RunRow {
  const status = then.kind === 'end' ? then.status : then.kind === 'await' ? 'waiting' : 'running';
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
    at: laterOf(laterOf(now, run.startedAt ?? timeOf(run.uuid)), run.waitChangedAt ?? now),
  };
}

const ROWS = new RowArrays<RunRow>(3, {
  id: ['uuid', ({ run }) => run.uuid],
  status: ['text', ({ status }) => status],
  reason: ['text', ({ reason }) => reason],
  error: ['json', ({ error }) => error && JSON.stringify(error)],
  resume_at: ['timestamptz', ({ resumeAt }) => resumeAt],
  claim: ['uuid', ({ claim }) => claim],
  lost: ['int', ({ workersLost }) => workersLost],
  started_at: ['timestamptz', ({ startedAt }) => startedAt],
  version: ['int', ({ version }) => version],
  is_over: ['bool', ({ status }) => isFinished(status)],
  at: ['timestamptz', ({ at }) => at],
});

/** Writes many run rows with one statement. @returns the changes to publish. */
export async function saveRuns(tx: Transaction, rows: readonly RunRow[]): Promise<RunChange[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ run }) => run.uuid).sort();
  await tx.query(
    `UPDATE runs r SET status = n.status, status_reason = n.reason, error = n.error, resume_at = n.resume_at,
       claim = n.claim, workers_lost = n.lost, started_at = n.started_at, version = n.version,
       change_marks = ${marksUpTo('n.version')},
       waited_ms = r.waited_ms + CASE WHEN r.status = 'waiting'
         THEN (extract(epoch FROM n.at - r.wait_changed_at) * 1000)::bigint ELSE 0 END,
       wait_changed_at = CASE WHEN r.status = 'waiting' OR n.status = 'waiting' THEN n.at ELSE r.wait_changed_at END,
       finished_at = CASE WHEN n.is_over THEN n.at END
     FROM unnest(${ROWS.arrays}) n (${ROWS.names})
     -- The bounds let PostgreSQL leave out the partitions of other weeks.
     WHERE r.id = n.id AND r.id >= $1 AND r.id <= $2`,
    [ids[0], ids.at(-1), ...ROWS.valuesOf(rows)],
  );
  return rows.flatMap(changesOf);
}

/** The states that a run passes through. A run that starts and ends, or waits, in one write passes through `running`. */
function course(from: RunStatus, to: RunStatus, began: boolean): RunStatus[] {
  if (from === to) return [];
  return from === 'queued' && began && to !== 'running' ? ['running', to] : [to];
}

function changesOf({ run, from, status, startedAt, version, at }: RunRow): RunChange[] {
  const { uuid, accountId, workflowUuid } = run;
  const states = course(from, status, startedAt !== null);
  return states.map((to, place) => ({
    run: uuid,
    account: accountId,
    workflow: workflowUuid,
    from: states[place - 1] ?? from,
    to,
    version: version + place + 1 - states.length,
    at: at.getTime(),
  }));
}
