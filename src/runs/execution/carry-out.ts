import { setTimeout as sleep } from 'node:timers/promises';
import { type ActionServices } from '../../actions/step-work.js';
import { type Clock } from '../../clock.js';
import { toAppError } from '../../errors.js';
import { type Logger } from '../../logger.js';
import { afterOutcome, type Stopping } from './after-outcome.js';
import { type ClaimedRun, nextIndex } from './claimed-run.js';
import { type Progress, type ProgressLog, type Verdict } from './progress.js';
import { attemptStep } from './run-step.js';

const SAVE_AGAIN_MS = 250;

export interface CarryOutDependencies {
  clock: Clock;
  progress: ProgressLog;
  services: ActionServices;
  logger: Logger;
}

/** Carries a claimed run out from the step that it stands in, until it ends, waits, or belongs to another worker. */
export async function carryOut(run: ClaimedRun, its: CarryOutDependencies, stopping: Stopping): Promise<void> {
  for (let index = nextIndex(run); ; index += 1) {
    const step = run.steps[index]!;
    const outcome = await attemptStep(
      { run, step, now: its.clock.now(), stopping: stopping.signal },
      its.services,
      its.logger,
    );
    const [ended, then] = afterOutcome(run, step, outcome, its.clock.now(), stopping);
    if ((await saved({ run, step: ended, then }, its, stopping)) === 'over') return;
  }
}

/**
 * Saved again and again while the database is away: what a step did is not to be forgotten, or it would be done twice.
 * Whether the run is still this worker's by then is decided there.
 */
async function saved(progress: Progress, its: CarryOutDependencies, stopping: Stopping): Promise<Verdict> {
  for (;;) {
    try {
      return await its.progress.save(progress);
    } catch (error) {
      if (toAppError(error).code !== 'unavailable' || stopping.signal.aborted) throw error;
      await sleep(SAVE_AGAIN_MS);
    }
  }
}
