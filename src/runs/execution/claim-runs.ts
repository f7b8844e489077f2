import { type Action } from '../../actions/action.entity.js';
import { type ActionService } from '../../actions/action.service.js';
import { type StepError } from '../../actions/step-work.js';
import { type Clock } from '../../clock.js';
import { type Database, type Transaction } from '../../db/database.js';
import { type Notifications } from '../../events/notifications.js';
import { type HeldJob } from '../../jobs/job-queue.js';
import { type RunJob, type RunQueue } from '../run-queue.js';
import { type RunStatus } from '../run-status.js';
import { type RunTally } from '../run-tally.js';
import { publishRunChanges, type RunChange } from '../run.events.js';
import { beginStep, CANCELED, type ClaimedRun, nextIndex, type StepState } from './claimed-run.js';
import { saveSteps, type StepRow } from './step-rows.js';

type ClaimRow = Omit<ClaimedRun, 'job' | 'actions' | 'steps'> & {
  from: RunStatus;
  status: RunStatus;
  actionsId: string | null;
  mayHaveSteps: boolean;
};

/** By the uuid of their run, in the order of the actions. */
type Steps = ReadonlyMap<string, StepState[]>;

/** A run that loses so many workers in a row, none of which could save anything of it, is given up. */
export const MAX_WORKERS_LOST = 3;

const WORKER_LOST: StepError = {
  code: 'worker_lost',
  message: `The run ended ${MAX_WORKERS_LOST} workers that tried to carry it out.`,
};

/**
 * Takes the runs of jobs: each row gets the claim of this worker, and its next step begins. A run whose workflow is gone,
 * is over, or waits for its time is left out and its job settled; so is one that still has the claim of a third worker,
 * which fails.
 */
export class RunClaims {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly queue: RunQueue,
    private readonly notifications: Notifications,
    private readonly actions: ActionService,
    private readonly tally: RunTally,
  ) {}

  async claim(jobs: readonly HeldJob<RunJob>[]): Promise<ClaimedRun[]> {
    const now = this.clock.now();
    let changes: RunChange[] = [];
    const claimed = await this.db.transaction(async (tx) => {
      const rows = await claimRows(tx, now, jobs);
      const jobOf = new Map(jobs.map((job) => [job.data.run, job]));
      const running = rows.filter(({ status }) => status === 'running');
      await endSteps(
        tx,
        now,
        rows.filter(({ from, status }) => from === 'running' && status !== 'running'),
      );
      const lists = await this.actions.ofRuns(tx, running);
      const steps = await stepsOf(tx, running);
      const runs = running.map((row) => toClaimed(row, jobOf.get(row.uuid)!, lists, steps));
      await saveSteps(
        tx,
        runs.flatMap((run) => firstStep(run, now)),
      );
      const taken = new Set(runs.map(({ uuid }) => uuid));
      await this.queue.done(
        tx,
        jobs.filter((job) => !taken.has(job.data.run)),
      );
      changes = rows.filter(({ from, status }) => from !== status).map((row) => toChange(row, now));
      await publishRunChanges(this.notifications, tx, changes);
      return runs;
    });
    this.tally.count(changes);
    return claimed;
  }
}

function toChange({ uuid, accountId, workflowUuid, from, status, version }: ClaimRow, now: Date): RunChange {
  return { run: uuid, account: accountId, workflow: workflowUuid, from, to: status, version, at: now.getTime() };
}

function claimRows(tx: Transaction, now: Date, jobs: readonly HeldJob<RunJob>[]): Promise<ClaimRow[]> {
  const uuids = jobs.map((job) => job.data.run).sort();
  return tx.query<ClaimRow>(
    `WITH held AS (
       SELECT r.id, r.status, r.workflow_id, r.cancel_requested, r.workers_lost + (r.claim IS NOT NULL)::int AS lost
       FROM runs r
       -- The bounds let PostgreSQL leave out the partitions of other weeks.
       WHERE r.id = ANY($1) AND r.id >= $2 AND r.id <= $3
         AND r.status IN ('queued', 'running') AND r.resume_at IS NULL
       ORDER BY r.id FOR NO KEY UPDATE),
     judged AS (
       SELECT h.id, h.status, h.lost, w.id IS NULL AS gone,
              CASE WHEN w.id IS NULL OR h.cancel_requested THEN 'canceled'
                   WHEN h.lost >= ${MAX_WORKERS_LOST} THEN 'failed' ELSE 'running' END AS next
       FROM held h LEFT JOIN workflows w ON w.id = h.workflow_id)
     UPDATE runs r SET
       status = j.next,
       status_reason = CASE WHEN j.gone THEN 'workflow_deleted' WHEN j.next = 'failed' THEN 'worker_lost' END,
       error = CASE WHEN j.next = 'failed' THEN $5::json END,
       started_at = coalesce(r.started_at, CASE WHEN j.next = 'running' THEN $4::timestamptz END),
       finished_at = CASE WHEN j.next <> 'running' THEN $4::timestamptz END,
       version = r.version + (j.status <> j.next)::int,
       workers_lost = j.lost,
       claim = CASE WHEN j.next = 'running' THEN gen_random_uuid() END
     FROM judged j
     WHERE r.id = j.id AND r.id >= $2 AND r.id <= $3
     RETURNING r.id AS uuid, r.account_id AS "accountId", r.workflow_id AS "workflowUuid",
       r.trigger_id AS "triggerUuid", r.trigger_type AS "triggerType", r.input, r.hops, r.version,
       r.started_at AS "startedAt", r.claim, r.workers_lost AS "workersLost",
       r.actions_id AS "actionsId", j.status AS "from", r.status,
       (j.status = 'running' OR r.retry_of IS NOT NULL) AS "mayHaveSteps"`,
    [uuids, uuids[0], uuids.at(-1), now, JSON.stringify(WORKER_LOST)],
  );
}

/** The steps that were under way when runs ended without their worker. */
async function endSteps(tx: Transaction, now: Date, rows: readonly ClaimRow[]): Promise<void> {
  if (rows.length === 0) return;
  const errors = rows.map(({ status }) => JSON.stringify(status === 'failed' ? WORKER_LOST : CANCELED));
  await tx.query(
    `UPDATE steps s SET status = 'failed', finished_at = $1, error = n.error
     FROM unnest($2::uuid[], $3::json[]) n (run_id, error) WHERE s.run_id = n.run_id AND s.status = 'running'`,
    [now, rows.map(({ uuid }) => uuid), errors],
  );
}

/**
 * What was saved of the runs. Not read by the statement that locks them: that would see what stood there when it began,
 * not what a worker given up for dead saved while it waited.
 */
async function stepsOf(tx: Transaction, rows: readonly ClaimRow[]): Promise<Steps> {
  const uuids = rows.filter(({ mayHaveSteps }) => mayHaveSteps).map(({ uuid }) => uuid);
  if (uuids.length === 0) return new Map();
  uuids.sort();
  const steps = await tx.query<StepState & { run: string }>(
    `SELECT s.run_id AS run, s.index, s.name, s.kind, s.status, s.attempt, s.output, s.error,
       s.started_at AS "startedAt", s.finished_at AS "finishedAt"
     FROM steps s WHERE s.run_id = ANY($1) AND s.run_id >= $2 AND s.run_id <= $3 ORDER BY s.run_id, s.index`,
    [uuids, uuids[0], uuids.at(-1)],
  );
  return Map.groupBy(steps, ({ run }) => run);
}

function toClaimed(
  row: ClaimRow,
  job: HeldJob<RunJob>,
  lists: ReadonlyMap<string, Action[]>,
  steps: Steps,
): ClaimedRun {
  const actions = (row.actionsId === null ? undefined : lists.get(row.actionsId)) ?? [];
  return { ...row, job, steps: steps.get(row.uuid) ?? [], actions };
}

/** The row of the step that is carried out next; a run without any ends at once. */
function firstStep(run: ClaimedRun, now: Date): StepRow[] {
  const index = nextIndex(run);
  if (index >= run.actions.length) return [];
  const step = beginStep(run, index, now);
  run.steps[index] = step;
  return [{ run, step }];
}
