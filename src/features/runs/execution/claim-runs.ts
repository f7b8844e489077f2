import { type Action } from '../../actions/action.entity.js';
import { type ActionService } from '../../actions/action.service.js';
import { type StepError } from '../../actions/step-work.js';
import { laterOf, type Clock } from '../../../platform/clock.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { newUuid, timeOf, toPublicId } from '../../../platform/ids/ids.js';
import { type HeldJob } from '../../../platform/jobs/job-queue.js';
import { type RunQueue } from '../queue/run-queue.js';
import { type RunTally } from '../feed/run-tally.js';
import { type EndReason } from '../run-reasons.js';
import { type RunChange } from '../queue/runs-changed.js';
import { publishRunChanges } from '../feed/run.events.js';
import { type ClaimedRun, type StepState } from './claimed-run.js';
import { reportAtOnce } from './run-trace.js';
import { endSteps, type FoundRun, lockRuns, stepsOf } from './found-runs.js';
import { AT_ONCE_MS, beginRun, type BeginDependencies, failAtOnce } from './begin-run.js';
import { partition } from '../../../platform/partition.js';
import { rowAfter, type RunRow, saveRuns } from './run-rows.js';
import { saveSteps, type StepRow } from './step-rows.js';

/** The longest wait of a claim for a locked row, in milliseconds: the runs of all accounts wait behind it. */
const LOCK_MS = 100;

/** A run fails after this many workers in a row died without saving any of its steps. */
export const MAX_WORKERS_LOST = 3;

const WORKER_LOST: StepError = {
  code: 'worker_lost',
  message: `${MAX_WORKERS_LOST} workers that executed the run died.`,
};
const UNREADABLE: StepError = {
  code: 'actions_unreadable',
  message: 'The actions of the run can’t be read: ENCRYPTION_KEY lacks the key that they were stored with.',
};

/** The rows to write for the runs of a claim; this worker executes the `going` ones. */
interface Begun {
  rows: RunRow[];
  steps: StepRow[];
  going: ClaimedRun[];
}

/** What beginning runs needs, with the accounts that may store nothing now. */
type ClaimDependencies = BeginDependencies & { full: ReadonlySet<string> };

/** The time of the database at the start of a claim, and how far the clock of this process is behind it. */
interface DatabaseTime {
  now: Date;
  behindMs: number;
}

/** Which runs a claim takes. */
export interface ClaimOptions {
  /** Also runs whose rows another session has locked: waits for locks as long as any transaction. */
  busy?: boolean;
  /** Also runs that lost two workers in a row. */
  suspects?: boolean;
}

/** The result of a claim. Jobs that it does not list are settled. */
export interface Claimed {
  /** Runs for this worker to execute. */
  going: readonly ClaimedRun[];
  /** Skipped because their rows are locked. */
  busy: readonly HeldJob[];
  /** Skipped because they may kill the worker, and every other claimed run with it. */
  suspects: readonly HeldJob[];
}

/**
 * Claims the runs of jobs: writes this worker's claim into each row and begins the next step; steps without calls are
 * executed in the same transaction. Runs that have ended or wait are skipped. Canceled runs, runs of deleted workflows
 * and runs that lost three workers end. The jobs of all these are settled.
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

  async claim(jobs: readonly HeldJob[], options: ClaimOptions, deps: BeginDependencies): Promise<Claimed> {
    let changes: RunChange[] = [];
    let atOnce: { run: ClaimedRun; steps: StepState[] }[] = [];
    const since = Date.now();
    const lockMs = options.busy === true ? undefined : LOCK_MS;
    // Before the transaction: it may look something up, on another connection.
    const full = await this.queue.stored.fullOf(jobs.map(({ groupId }) => groupId));
    const claimed = await this.db.transaction(async (tx) => {
      const here = this.clock.now();
      const { due, busy, now = here } = await lockRuns(tx, jobs, options.busy === true);
      const [suspected, taken] = partition(due, (run) => isSuspect(run) && options.suspects !== true);
      const { ends, begun } = await this.begin(tx, { now, behindMs: now.getTime() - here.getTime() }, jobs, taken, {
        ...deps,
        full,
      });
      if (deps.tracing !== undefined) atOnce = withoutCalls(begun);
      changes = await saveRuns(tx, [...ends, ...begun.rows]);
      const suspects = jobsOf(suspected, jobs);
      const open = new Set([...busy, ...suspects, ...jobsOf(begun.going, jobs)]);
      await publishRunChanges(this.notifications, tx, changes);
      await this.queue.done(
        tx,
        jobs.filter((job) => !open.has(job)),
      );
      return { going: begun.going, busy, suspects };
    }, lockMs);
    this.tally.count(changes);
    for (const { run, steps } of atOnce) reportAtOnce(deps.tracing, run, steps, since);
    return claimed;
  }

  /** Saves the steps of runs that end or begin. The caller saves the runs themselves. */
  private async begin(
    tx: Transaction,
    time: DatabaseTime,
    jobs: readonly HeldJob[],
    found: readonly FoundRun[],
    deps: ClaimDependencies,
  ): Promise<{ ends: RunRow[]; begun: Begun }> {
    const { now } = time;
    const lists = await this.actions.ofRuns(tx, found);
    const actionsOf = ({ actionsId }: FoundRun) => (actionsId === null ? [] : lists.get(actionsId));
    const ends = found.flatMap((run) => endOf(run, actionsOf(run), now) ?? []);
    const ended = new Set(ends.map(({ run }) => run));
    const going = found.filter((run) => !ended.has(run)).map((run) => ({ run, actions: actionsOf(run)! }));
    const begun = await beginAll(tx, time, jobs, going, deps);
    await endSteps(tx, now, ends);
    await saveSteps(tx, begun.steps, this.queue.stored);
    for (const { run, error } of ends) {
      if (error === UNREADABLE) deps.logger.error({ run: toPublicId('run', run.uuid) }, error.message);
    }
    return { ends, begun };
  }
}

/** A run that fails if it loses one more worker. */
function isSuspect({ workersLost, cancelRequested, workflowGone }: FoundRun): boolean {
  return workersLost === MAX_WORKERS_LOST - 1 && !cancelRequested && !workflowGone;
}

/** Runs that this worker need not execute: the claim did it in its transaction. */
function withoutCalls({ rows, steps, going }: Begun): { run: ClaimedRun; steps: StepState[] }[] {
  const left = new Set<unknown>(going);
  const runs = rows.map(({ run }) => run).filter((run): run is ClaimedRun => 'actions' in run && !left.has(run));
  return runs.map((run) => ({ run, steps: steps.filter((row) => row.run === run).map(({ step }) => step) }));
}

function jobsOf(runs: readonly { uuid: string }[], jobs: readonly HeldJob[]): HeldJob[] {
  const uuids = new Set(runs.map(({ uuid }) => uuid));
  return jobs.filter(({ id }) => uuids.has(id));
}

/** The final row of a run that must not be executed; undefined for a run that may begin. */
function endOf(run: FoundRun, actions: readonly Action[] | undefined, now: Date): RunRow | undefined {
  const end = (status: 'canceled' | 'failed', reason?: EndReason, error?: StepError): RunRow =>
    rowAfter(run, run.status, { kind: 'end', status, ...(reason && { reason }), ...(error && { error }) }, now);
  if (run.workflowGone) return end('canceled', 'workflow_deleted');
  if (run.cancelRequested) return end('canceled');
  if (run.workersLost >= MAX_WORKERS_LOST) return end('failed', 'worker_lost', WORKER_LOST);
  return actions === undefined ? end('failed', undefined, UNREADABLE) : undefined;
}

async function beginAll(
  tx: Transaction,
  { now, behindMs }: DatabaseTime,
  jobs: readonly HeldJob[],
  all: readonly { run: FoundRun; actions: readonly Action[] }[],
  deps: ClaimDependencies,
): Promise<Begun> {
  const begun: Begun = { rows: [], steps: [], going: [] };
  const jobOf = new Map(jobs.map((job) => [job.id, job]));
  const saved = await stepsOf(
    tx,
    all.map(({ run }) => run),
  );
  const deadline = performance.now() + AT_ONCE_MS;
  for (const { run: found, actions } of all) {
    const run: ClaimedRun = {
      ...found,
      startedAt: found.startedAt ?? laterOf(now, timeOf(found.uuid)),
      claim: newUuid(now),
      behindMs,
      isFresh: found.startedAt === null,
      job: jobOf.get(found.uuid)!,
      actions,
      steps: saved.get(found.uuid) ?? [],
    };
    const { steps, then } = deps.full.has(run.accountId)
      ? failAtOnce(run, now)
      : await beginRun(run, now, deadline, deps);
    begun.steps.push(...steps.map((step) => ({ run, step })));
    begun.rows.push(rowAfter(run, found.status, then, now));
    if (then.kind !== 'next') continue;
    begun.steps.push({ run, step: then.step });
    begun.going.push(run);
  }
  return begun;
}
