import { definitionOf } from '../../actions/action-kind.js';
import { readsOf } from '../../actions/reads.js';
import { type ActionServices } from '../../actions/step-work.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { applyOutcome, type Stopping } from './apply-outcome.js';
import { beginStep, type ClaimedRun, nextIndex, type StepState, type NextStep } from './claimed-run.js';
import { inMemory } from './run-space.js';
import { attemptStep } from './run-step.js';
import { type Texts, textsFor } from './run-text.js';

export interface BeginDependencies {
  services: ActionServices;
  logger: Logger;
}

/**
 * How long the runs of one claim may execute steps that make no calls, all together, in milliseconds. Such a step blocks
 * the event loop, and a claim may hold thousands of conditions.
 */
export const AT_ONCE_MS = 50;

/** How a run begins: the steps that are over already, and what comes after them. */
export interface Beginning {
  steps: StepState[];
  then: NextStep;
}

/** A process that stops still begins the runs that it has claimed. */
const NEVER: Stopping = { requested: false, signal: new AbortController().signal };

/**
 * Begins the next step of a run. Steps that make no calls are executed at once, so that a run that a condition ends is
 * claimed and over with one transaction. Three kinds are left for later: those that read a large text, which is in the
 * database alone; those after `deadline` (by `performance.now()`); and those of a run that was given out before, as what
 * its worker may have died of is tried under a claim, which counts it.
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
  let then: NextStep = { kind: 'next', step: (run.steps[index] = beginStep(run, index, now)) };
  const mayGoOn = (): boolean => run.job.retryCount === 0 && performance.now() < deadline;
  while (then.kind === 'next' && mayGoOn()) {
    const { step } = then;
    const texts = textsAtOnce(run, step);
    if (texts === undefined) break;
    const attempt = { run, step, space: inMemory(texts), now, stopping: NEVER.signal };
    const outcome = await attemptStep(attempt, services, logger);
    const [saved, next] = applyOutcome(run, step, outcome, now, NEVER);
    steps.push(saved);
    then = next;
  }
  return { steps, then };
}

/** The texts that a step reads; undefined for a step that makes calls, or that reads a text from the database. */
function textsAtOnce(run: ClaimedRun, { index, kind }: StepState): Texts | undefined {
  if (definitionOf(kind).isAtOnce !== true) return undefined;
  const { inMemory: texts, inDatabase } = textsFor(run, readsOf(run.actions[index]!));
  return inDatabase.size === 0 ? texts : undefined;
}
