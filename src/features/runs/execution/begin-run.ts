import { definitionOf } from '../../actions/action-kind.js';
import { readsOf } from '../../actions/reads.js';
import { type ActionServices } from '../../actions/step-work.js';
import { type Logger } from '../../../platform/logging/logger.js';
import { applyOutcome, type Stopping } from './apply-outcome.js';
import { beginStep, type ClaimedRun, nextIndex, type StepState, type NextStep } from './claimed-run.js';
import { type Tracing } from '../../../platform/tracing/span.js';
import { inMemory } from './run-space.js';
import { attemptStep, TOO_MUCH_STORED } from './run-step.js';
import { type Texts, textsFor } from './run-text.js';

/** What a step that runs within the claim needs. */
export interface BeginDependencies {
  tracing?: Tracing | undefined;
  services: ActionServices;
  logger: Logger;
}

/**
 * Total time, in milliseconds, that the runs of one claim may spend on steps without calls. Such steps block the event
 * loop, and one claim may hold thousands of conditions.
 */
export const AT_ONCE_MS = 50;

/** The steps that ended within the claim, and the run's next step. */
export interface Beginning {
  steps: StepState[];
  then: NextStep;
}

/** A stopping process still begins the runs it has claimed. */
const NEVER: Stopping = { requested: false, signal: new AbortController().signal };

/**
 * Begins the next step of a run. Steps that make no calls are executed at once: a run that ends at a condition then
 * takes a single transaction. A step is left for later if
 * - it reads a large text, which only the database holds;
 * - `deadline` (by `performance.now()`) has passed;
 * - the run was claimed before: a step that may have killed its worker must run under a committed claim, which counts.
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

/** Fails the next step of a run whose account may store nothing now. A run without a further step ends as it would. */
export function failAtOnce(run: ClaimedRun, now: Date): Beginning {
  const index = nextIndex(run);
  if (index >= run.actions.length) return { steps: [], then: { kind: 'end', status: 'succeeded' } };
  const [failed, then] = applyOutcome(run, beginStep(run, index, now), TOO_MUCH_STORED, now, NEVER);
  return { steps: [failed], then };
}

/** The texts that a step reads; undefined if it makes calls or needs a text from the database. */
function textsAtOnce(run: ClaimedRun, { index, kind }: StepState): Texts | undefined {
  if (definitionOf(kind).isAtOnce !== true) return undefined;
  const { inMemory: texts, inDatabase } = textsFor(run, readsOf(run.actions[index]!));
  return inDatabase.size === 0 ? texts : undefined;
}
