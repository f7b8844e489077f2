import { setTimeout as sleep } from 'node:timers/promises';
import { type ActionServices } from '../../actions/step-work.js';
import { type Clock } from '../../../platform/clock.js';
import { toAppError } from '../../../platform/errors.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { afterOutcome, type Stopping } from './after-outcome.js';
import { type ClaimedRun, nextIndex, type StepState } from './claimed-run.js';
import { type Progress, type ProgressLog, type Verdict } from './progress.js';
import { type RunSpace } from './run-space.js';
import { attemptStep } from './run-step.js';
import { leaveLarge } from './run-text.js';

const SAVE_AGAIN_MS = 250;

export interface CarryOutDependencies {
  clock: Clock;
  progress: ProgressLog;
  space: RunSpace;
  services: ActionServices;
  logger: Logger;
}

/** Carries a claimed run out from the step that it stands in, until it ends, waits, or belongs to another worker. */
export async function carryOut(run: ClaimedRun, deps: CarryOutDependencies, stopping: Stopping): Promise<void> {
  for (let index = nextIndex(run); ; index += 1) {
    if ((await carryOutStep(run, run.steps[index]!, deps, stopping)) === 'over') return;
  }
}

/** One step, within the space that it takes, up to its end in the database. */
async function carryOutStep(
  run: ClaimedRun,
  step: StepState,
  deps: CarryOutDependencies,
  stopping: Stopping,
): Promise<Verdict> {
  const space = await deps.space.enter(run, run.actions[step.index]!);
  if (space === undefined) {
    return saved({ run, step: { ...step, attempt: step.attempt - 1 }, then: { kind: 'hand back' } }, deps, stopping);
  }
  try {
    const attempt = { run, step, space, now: deps.clock.now(), stopping: stopping.signal };
    const outcome = await attemptStep(attempt, deps.services, deps.logger);
    const [ended, then] = afterOutcome(run, step, outcome, deps.clock.now(), stopping);
    const verdict = await saved({ run, step: ended, then }, deps, stopping);
    leaveLarge(run, ended);
    return verdict;
  } finally {
    space.leave();
  }
}

/**
 * Saved again and again while the database is away: what a step did is not to be forgotten, or it would be done twice.
 * Whether the run is still this worker's by then is decided there.
 */
async function saved(progress: Progress, deps: CarryOutDependencies, stopping: Stopping): Promise<Verdict> {
  for (;;) {
    try {
      return await deps.progress.save(progress);
    } catch (error) {
      if (toAppError(error).code !== 'unavailable' || stopping.signal.aborted) throw error;
      await sleep(SAVE_AGAIN_MS);
    }
  }
}
