import { type ActionServices, type StepOutcome } from '../../actions/step-work.js';
import { type Clock } from '../../clock.js';
import { type Logger } from '../../logger.js';
import { MAX_ATTEMPTS, nextAttemptAt } from './backoff.js';
import { beginStep, type ClaimedRun, nextIndex, type StepState } from './claimed-run.js';
import { type Progress, type ProgressLog, type Then } from './progress.js';
import { attemptStep } from './run-step.js';
import { keptOutput } from './step-output.js';

const RUN_MS = 7 * 86_400_000;

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
    await its.progress.save({ run, step: undefined, then: { kind: 'end', status: 'succeeded' } });
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
    const verdict = await its.progress.save(progress);
    if (verdict === 'over') return;
    index += 1;
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
      return [{ ...step, attempt: step.attempt - 1 }, pauseUntil(run, outcome.until)];
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
      return [{ ...step, error }, pauseUntil(run, nextAttemptAt(now, step.attempt, notBefore))];
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

function pauseUntil(run: ClaimedRun, at: Date): Then {
  return at.getTime() - run.startedAt.getTime() > RUN_MS ? TOO_LONG : { kind: 'resume', at };
}

const TOO_LONG: Then = {
  kind: 'end',
  status: 'failed',
  error: { code: 'run_timeout', message: 'The run took longer than 7 days.' },
};
