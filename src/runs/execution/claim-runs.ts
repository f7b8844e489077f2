import { type Action } from '../../actions/action.entity.js';
import { type ActionService } from '../../actions/action.service.js';
import { type StepError } from '../../actions/step-work.js';
import { type Clock } from '../../clock.js';
import { type Database, type Transaction } from '../../db/database.js';
import { type Notifications } from '../../events/notifications.js';
import { newUuid, toPublicId } from '../../ids.js';
import { type HeldJob } from '../../jobs/job-queue.js';
import { type RunQueue } from '../run-queue.js';
import { type RunTally } from '../run-tally.js';
import { publishRunChanges, type RunChange } from '../run.events.js';
import { type ClaimedRun } from './claimed-run.js';
import { endSteps, type FoundRun, lockRuns, stepsOf } from './found-runs.js';
import { AT_ONCE_MS, beginRun, type BeginDependencies } from './begin-run.js';
import { rowAfter, type RunRow, saveRuns } from './run-rows.js';
import { saveSteps, type StepRow } from './step-rows.js';

/** A run that loses so many workers in a row, none of which could save anything of it, is given up. */
export const MAX_WORKERS_LOST = 3;

const WORKER_LOST: StepError = {
  code: 'worker_lost',
  message: `The run ended ${MAX_WORKERS_LOST} workers that tried to carry it out.`,
};
const UNREADABLE: StepError = {
  code: 'actions_unreadable',
  message: 'The actions of the run can’t be read: ENCRYPTION_KEY lacks the key that they were stored with.',
};

/** What is written of the runs of a claim; `going` are this worker's to carry on. */
interface Begun {
  rows: RunRow[];
  steps: StepRow[];
  going: ClaimedRun[];
}

/**
 * Takes the runs of jobs: each row gets the claim of this worker, and its next step begins; what asks nobody is carried
 * out with it. A run that is over then, whose workflow is gone, or which waits for its time, is left out and its job
 * settled; so is one that still has the claim of a third worker, which fails.
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

  /** @returns the runs that are this worker's to carry on. */
  async claim(jobs: readonly HeldJob[], its: BeginDependencies): Promise<readonly ClaimedRun[]> {
    const now = this.clock.now();
    let changes: RunChange[] = [];
    const going = await this.db.transaction(async (tx) => {
      const found = await lockRuns(tx, jobs);
      const lists = await this.actions.ofRuns(tx, found);
      const actionsOf = ({ actionsId }: FoundRun) => (actionsId === null ? [] : lists.get(actionsId));
      const ends = found.flatMap((run) => endOf(run, actionsOf(run)) ?? []);
      const ended = new Set(ends.map(({ run }) => run));
      const begun = await beginAll(
        tx,
        now,
        jobs,
        found.flatMap((run) => (ended.has(run) ? [] : [{ run, actions: actionsOf(run)! }])),
        its,
      );
      await endSteps(tx, now, ends);
      await saveSteps(tx, begun.steps);
      changes = await saveRuns(tx, now, [...ends, ...begun.rows]);
      const taken = new Set(begun.going.map(({ uuid }) => uuid));
      await this.queue.done(
        tx,
        jobs.filter(({ id }) => !taken.has(id)),
      );
      await publishRunChanges(this.notifications, tx, changes);
      for (const { run, error } of ends) {
        if (error === UNREADABLE) its.logger.error({ run: toPublicId('run', run.uuid) }, error.message);
      }
      return begun.going;
    });
    this.tally.count(changes);
    return going;
  }
}

/** How a run ends that nobody carries on; undefined for one that may begin. */
function endOf(run: FoundRun, actions: readonly Action[] | undefined): RunRow | undefined {
  const end = (status: 'canceled' | 'failed', reason?: string, error?: StepError): RunRow =>
    rowAfter(run, run.status, { kind: 'end', status, ...(reason && { reason }), ...(error && { error }) });
  if (run.workflowGone) return end('canceled', 'workflow_deleted');
  if (run.cancelRequested) return end('canceled');
  if (run.workersLost >= MAX_WORKERS_LOST) return end('failed', 'worker_lost', WORKER_LOST);
  return actions === undefined ? end('failed', undefined, UNREADABLE) : undefined;
}

async function beginAll(
  tx: Transaction,
  now: Date,
  jobs: readonly HeldJob[],
  all: readonly { run: FoundRun; actions: readonly Action[] }[],
  its: BeginDependencies,
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
      startedAt: found.startedAt ?? now,
      claim: newUuid(now),
      job: jobOf.get(found.uuid)!,
      actions,
      steps: saved.get(found.uuid) ?? [],
    };
    const { steps, then } = await beginRun(run, now, deadline, its);
    begun.steps.push(...steps.map((step) => ({ run, step })));
    begun.rows.push(rowAfter(run, found.status, then));
    if (then.kind !== 'next') continue;
    begun.steps.push({ run, step: then.step });
    begun.going.push(run);
  }
  return begun;
}
