import { definitionOf } from '../../actions/action-kind.js';
import { type ActionServices } from '../../actions/step-work.js';
import { type Logger } from '../../logger.js';
import { afterOutcome, type Stopping } from './after-outcome.js';
import { beginStep, type ClaimedRun, nextIndex, type StepState, type Then } from './claimed-run.js';
import { attemptStep } from './run-step.js';

export interface BeginDependencies {
  services: ActionServices;
  logger: Logger;
}

/**
 * What the runs of one claim may take together in milliseconds to carry out what asks nobody: nothing else happens in the
 * process meanwhile, and a condition may look through a megabyte.
 */
export const AT_ONCE_MS = 50;

/** How a run begins: the steps that are over already, and what comes after them. */
export interface Beginning {
  steps: StepState[];
  then: Then;
}

/** Whoever claims a run begins it, whatever happens to the process. */
const NEVER: Stopping = { requested: false, signal: new AbortController().signal };

/**
 * Begins the next step of a run. Steps that ask nobody are carried out at once, so that a run that a condition ends is
 * claimed and over with one transaction. Not after `deadline` (by `performance.now()`), and not where a worker was lost with
 * the run before: what it may have died of is tried under a claim, which counts it.
 */
export async function beginRun(
  run: ClaimedRun,
  now: Date,
  deadline: number,
  { services, logger }: BeginDependencies,
): Promise<Beginning> {
  const index = nextIndex(run);
  if (index >= run.actions.length) return { steps: [], then: { kind: 'end', status: 'succeeded' } };
  const steps: StepState[] = [];
  let then: Then = { kind: 'next', step: (run.steps[index] = beginStep(run, index, now)) };
  const mayGoOn = (): boolean => run.job.retryCount === 0 && performance.now() < deadline;
  while (then.kind === 'next' && definitionOf(then.step.kind).isAtOnce && mayGoOn()) {
    const { step } = then;
    const outcome = await attemptStep({ run, step, now, stopping: NEVER.signal }, services, logger);
    const [saved, next] = afterOutcome(run, step, outcome, now, NEVER);
    steps.push(saved);
    then = next;
  }
  return { steps, then };
}
