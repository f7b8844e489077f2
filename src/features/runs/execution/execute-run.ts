import { setTimeout as sleep } from 'node:timers/promises';
import { type ActionServices } from '../../actions/step-work.js';
import { workFor } from '../../../platform/admission/work.js';
import { type Clock } from '../../../platform/clock.js';
import { toAppError } from '../../../platform/errors.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { type RunQueue } from '../queue/run-queue.js';
import { applyOutcome, type Stopping } from './apply-outcome.js';
import { type ClaimedRun, nextIndex, type Progress, type StepState } from './claimed-run.js';
import { type ProgressLog, type SaveResult } from './progress.js';
import { type RunSpace } from './run-space.js';
import { attemptStep, TOO_MUCH_STORED } from './run-step.js';
import { leaveLarge } from './run-text.js';
import { inStepSpan } from './run-trace.js';
import { type Tracing } from '../../../platform/tracing/span.js';

const SAVE_AGAIN_MS = 250;

/** What executing claimed runs needs. */
export interface ExecutionDependencies {
  clock: Clock;
  progress: ProgressLog;
  queue: Pick<RunQueue, 'stored'>;
  space: RunSpace;
  services: ActionServices;
  logger: Logger;
  tracing: Tracing | undefined;
}

/** Executes a claimed run from its current step until it ends, waits, or belongs to another worker. */
export async function executeRun(run: ClaimedRun, deps: ExecutionDependencies, stopping: Stopping): Promise<void> {
  for (let index = nextIndex(run); ; index += 1) {
    if ((await executeStep(run, run.steps[index]!, deps, stopping)) === 'released') return;
  }
}

/** Executes one step within its share of memory, and saves it. */
async function executeStep(
  run: ClaimedRun,
  step: StepState,
  deps: ExecutionDependencies,
  stopping: Stopping,
): Promise<SaveResult> {
  if (await deps.queue.stored.isFull(run.accountId)) {
    const now = timeOfRun(run, deps.clock);
    const [failed, then] = applyOutcome(run, step, TOO_MUCH_STORED, now, stopping);
    return saved({ run, step: failed, then }, deps, stopping);
  }
  const space = await deps.space.enter(run, run.actions[step.index]!);
  if (space === undefined) {
    return saved({ run, step: { ...step, attempt: step.attempt - 1 }, then: { kind: 'handBack' } }, deps, stopping);
  }
  try {
    const attempt = { run, step, space, now: timeOfRun(run, deps.clock), stopping: stopping.signal };
    // A client of the account may keep rows locked for seconds: the statements of the step have the turns of the account.
    const outcome = await workFor(run.accountId, () =>
      inStepSpan(step, () => attemptStep(attempt, deps.services, deps.logger)),
    );
    const [ended, then] = applyOutcome(run, step, outcome, timeOfRun(run, deps.clock), stopping);
    const result = await saved({ run, step: ended, then }, deps, stopping);
    leaveLarge(run, ended);
    return result;
  } finally {
    space.leave();
  }
}

/**
 * The time by the clock of the database, which decides when a run is due: a worker whose own clock is behind would send
 * a run that is due back to wait.
 */
function timeOfRun({ behindMs }: ClaimedRun, clock: Clock): Date {
  return new Date(clock.now().getTime() + behindMs);
}

/**
 * Retries while the database is unavailable: an unsaved step would be executed twice. `save` checks that the run still
 * belongs to this worker.
 */
async function saved(progress: Progress, deps: ExecutionDependencies, stopping: Stopping): Promise<SaveResult> {
  for (;;) {
    try {
      return await deps.progress.save(progress);
    } catch (error) {
      if (toAppError(error).code !== 'unavailable' || stopping.signal.aborted) throw error;
      await sleep(SAVE_AGAIN_MS);
    }
  }
}
