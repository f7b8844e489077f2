import { type StepError, type StepOutcome } from '../../actions/step-work.js';
import { MAX_ATTEMPTS, nextAttemptAt, spread } from '../../../platform/http/backoff.js';
import { beginStep, type ClaimedRun, type StepState, type NextStep } from './claimed-run.js';
import { keptOutput } from './step-output.js';

/** The maximum duration of a run without the time that it waits for something outside, in milliseconds. */
export const RUN_MS = 7 * 86_400_000;

/** How long a step waits whose application asks for nothing but to wait, in milliseconds. */
export const BLOCKED_MS = 86_400_000;

/** Whether the worker is stopping, in two stages. */
export interface Stopping {
  /** True: hand runs back to the queue before their next step. */
  requested: boolean;
  /** Aborts running steps. */
  signal: AbortSignal;
}

/** Applies the outcome of an attempt to the run. @returns the step's new state, and the run's next step. */
export function applyOutcome(
  run: ClaimedRun,
  step: StepState,
  outcome: StepOutcome,
  now: Date,
  stopping: Stopping,
): [StepState, NextStep] {
  const [saved, then] = decideNext(run, step, outcome, now, stopping);
  run.steps[step.index] = saved;
  return [saved, then];
}

function decideNext(
  run: ClaimedRun,
  step: StepState,
  outcome: StepOutcome,
  now: Date,
  stopping: Stopping,
): [StepState, NextStep] {
  const ended = { finishedAt: now, blockedSince: null };
  switch (outcome.kind) {
    case 'succeeded':
    case 'stop': {
      const saved = { ...step, ...ended, status: 'succeeded' as const, output: keptOutput(outcome.output) };
      return [
        saved,
        outcome.kind === 'stop' ? { kind: 'end', status: 'succeeded' } : nextStep(run, step, now, stopping),
      ];
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
    case 'blocked':
      return pauseBlocked(run, { ...step, attempt: step.attempt - 1 }, outcome.until, now);
    case 'await':
      return [
        { ...step, blockedSince: null },
        { kind: 'await', what: outcome.what },
      ];
    case 'retry': {
      const { error, notBefore } = outcome;
      // This process aborted the attempt, so it doesn't count.
      if (stopping.signal.aborted) return [{ ...step, attempt: step.attempt - 1 }, { kind: 'handBack' }];
      if (step.attempt >= MAX_ATTEMPTS) {
        return [
          { ...step, ...ended, status: 'failed', error },
          { kind: 'end', status: 'failed', error },
        ];
      }
      return pause(run, { ...step, error, blockedSince: null }, nextAttemptAt(now, step.attempt, notBefore), now);
    }
  }
}

function nextStep(run: ClaimedRun, { index }: StepState, now: Date, stopping: Stopping): NextStep {
  if (index + 1 >= run.actions.length) return { kind: 'end', status: 'succeeded' };
  if (now.getTime() > endOf(run)) return TOO_LONG;
  if (stopping.requested) return { kind: 'handBack' };
  const step = beginStep(run, index + 1, now);
  run.steps[index + 1] = step;
  return { kind: 'next', step };
}

function pauseBlocked(run: ClaimedRun, step: StepState, until: Date, now: Date): [StepState, NextStep] {
  const blockedSince = step.blockedSince ?? now;
  const waited = now.getTime() - blockedSince.getTime();
  if (waited < BLOCKED_MS)
    return pause(run, { ...step, error: BLOCKED, blockedSince }, spread(now, until, waited), now);
  const failed: StepState = { ...step, status: 'failed', error: BLOCKED_TOO_LONG, blockedSince: null, finishedAt: now };
  return [failed, { kind: 'end', status: 'failed', error: BLOCKED_TOO_LONG }];
}

function pause(run: ClaimedRun, step: StepState, until: Date, now: Date): [StepState, NextStep] {
  if (until.getTime() <= endOf(run)) return [step, { kind: 'resume', at: until }];
  return [{ ...step, status: 'failed', error: RUN_TIMEOUT, finishedAt: now }, TOO_LONG];
}

const BLOCKED: StepError = {
  code: 'rate_limited',
  message: 'The application asked to wait. The step goes on after that.',
};
const BLOCKED_TOO_LONG: StepError = {
  code: 'rate_limited',
  message: 'The application answered nothing but 429 for 24 hours.',
};
/** When the time limit of a run ends, in milliseconds since 1970. */
function endOf({ startedAt, waitedMs }: ClaimedRun): number {
  return startedAt.getTime() + waitedMs + RUN_MS;
}

const RUN_TIMEOUT: StepError = { code: 'run_timeout', message: 'The run took longer than 7 days.' };
const TOO_LONG: NextStep = { kind: 'end', status: 'failed', error: RUN_TIMEOUT };
