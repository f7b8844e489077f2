import { setTimeout as sleep } from 'node:timers/promises';
import { type ActionServices, type StepOutcome } from '../../actions/step-work.js';
import { type Clock } from '../../clock.js';
import { toAppError } from '../../errors.js';
import { type Logger } from '../../logger.js';
import { MAX_ATTEMPTS, nextAttemptAt } from './backoff.js';
import { beginStep, type ClaimedRun, nextIndex, type StepState } from './claimed-run.js';
import { type Progress, type ProgressLog, type Then, type Verdict } from './progress.js';
import { attemptStep } from './run-step.js';
import { keptOutput } from './step-output.js';

const RUN_MS = 7 * 86_400_000;
const SAVE_AGAIN_MS = 250;

export interface CarryOutDependencies {
  clock: Clock;
  progress: ProgressLog;
  services: ActionServices;
  logger: Logger;
}

/** What may happen to the process meanwhile. */
export interface Stopping {
  /** True once runs are to be handed back at their next step. */
  requested: boolean;
  /** Aborts when steps under way are to be given up. */
  signal: AbortSignal;
}

/** Carries a claimed run out, step after step, until it ends, waits, or belongs to another worker. */
export async function carryOut(run: ClaimedRun, its: CarryOutDependencies, stopping: Stopping): Promise<void> {
  let index = nextIndex(run);
  if (index >= run.actions.length) {
    await saved({ run, step: undefined, then: { kind: 'end', status: 'succeeded' } }, its, stopping);
    return;
  }
  for (;;) {
    const step = run.steps[index]!;
    const outcome = await attemptStep(
      { run, step, now: its.clock.now(), stopping: stopping.signal },
      its.services,
      its.logger,
    );
    const progress = toProgress(run, step, outcome, its.clock.now(), stopping);
    const verdict = await saved(progress, its, stopping);
    if (verdict === 'over') return;
    index += 1;
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

function toProgress(run: ClaimedRun, step: StepState, outcome: StepOutcome, now: Date, stopping: Stopping): Progress {
  const [saved, then] = afterOutcome(run, step, outcome, now, stopping);
  run.steps[step.index] = saved;
  return { run, step: saved, then };
}

function afterOutcome(
  run: ClaimedRun,
  step: StepState,
  outcome: StepOutcome,
  now: Date,
  stopping: Stopping,
): [StepState, Then] {
  const ended = { finishedAt: now };
  switch (outcome.kind) {
    case 'succeeded':
    case 'stop': {
      const saved = { ...step, ...ended, status: 'succeeded' as const, output: keptOutput(outcome.output) };
      return [saved, outcome.kind === 'stop' ? { kind: 'end', status: 'succeeded' } : after(run, step, now, stopping)];
    }
    case 'failed': {
      const output = outcome.output === undefined ? null : keptOutput(outcome.output);
      return [
        { ...step, ...ended, status: 'failed', error: outcome.error, output },
        { kind: 'end', status: 'failed', error: outcome.error },
      ];
    }
    case 'wait':
      return pause(run, { ...step, attempt: step.attempt - 1 }, outcome.until, now);
    case 'retry': {
      const { error, notBefore } = outcome;
      // Given up by ourselves: the attempt doesn't count.
      if (stopping.signal.aborted) return [{ ...step, attempt: step.attempt - 1 }, { kind: 'hand back' }];
      if (step.attempt >= MAX_ATTEMPTS) {
        return [
          { ...step, ...ended, status: 'failed', error },
          { kind: 'end', status: 'failed', error },
        ];
      }
      return pause(run, { ...step, error }, nextAttemptAt(now, step.attempt, notBefore), now);
    }
  }
}

function after(run: ClaimedRun, { index }: StepState, now: Date, stopping: Stopping): Then {
  if (index + 1 >= run.actions.length) return { kind: 'end', status: 'succeeded' };
  if (now.getTime() - run.startedAt.getTime() > RUN_MS) return TOO_LONG;
  if (stopping.requested) return { kind: 'hand back' };
  const step = beginStep(run, index + 1, now);
  run.steps[index + 1] = step;
  return { kind: 'next', step };
}

function pause(run: ClaimedRun, step: StepState, until: Date, now: Date): [StepState, Then] {
  if (until.getTime() - run.startedAt.getTime() <= RUN_MS) return [step, { kind: 'resume', at: until }];
  return [{ ...step, status: 'failed', error: RUN_TIMEOUT, finishedAt: now }, TOO_LONG];
}

const RUN_TIMEOUT = { code: 'run_timeout', message: 'The run took longer than 7 days.' };
const TOO_LONG: Then = { kind: 'end', status: 'failed', error: RUN_TIMEOUT };
