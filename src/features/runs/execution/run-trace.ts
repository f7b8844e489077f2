import { toPublicId } from '../../../platform/ids/ids.js';
import { inSpan, type Span, traced, type Tracing } from '../../../platform/tracing/span.js';
import { type ClaimedRun, type StepState } from './claimed-run.js';

type TracedRun = Pick<ClaimedRun, 'uuid' | 'workflowUuid' | 'traceparent' | 'isFresh' | 'hops' | 'isTest'>;

/**
 * The span of a run at one worker. It continues the trace of the request that created the run. A run that goes on, e.g. after
 * a wait of days, begins a new trace with a link to that one.
 */
function runSpan(tracing: Tracing | undefined, run: TracedRun, at?: number): Span | undefined {
  const trace = run.traceparent ?? undefined;
  return tracing?.begin('run', 'consumer', {
    ...(trace !== undefined && (run.isFresh ? { parent: trace } : { link: trace })),
    ...(at !== undefined && { at }),
    attributes: {
      'workflow_gateway.run.id': toPublicId('run', run.uuid),
      'workflow_gateway.workflow.id': toPublicId('wf', run.workflowUuid),
      'workflow_gateway.run.hops': run.hops,
      'workflow_gateway.run.is_test': run.isTest,
    },
  });
}

/** Executes a run within its span. */
export async function inRunSpan<T>(tracing: Tracing | undefined, run: TracedRun, work: () => Promise<T>): Promise<T> {
  const span = runSpan(tracing, run);
  try {
    return await inSpan(span, work);
  } finally {
    span?.end();
  }
}

/** The facts of a step: its name is a text of a person. */
function stepAttributes({ index, kind, attempt }: StepState) {
  return {
    'workflow_gateway.step.index': index,
    'workflow_gateway.step.kind': kind,
    'workflow_gateway.step.attempt': attempt,
  };
}

/** Executes an attempt at a step as a part of its run. */
export function inStepSpan<T extends { kind: string; error?: { code: string } }>(
  step: StepState,
  work: () => Promise<T>,
): Promise<T> {
  return traced(`step ${step.kind}`, 'internal', stepAttributes(step), async (span) => {
    const outcome = await work();
    span?.set({ 'workflow_gateway.step.outcome': outcome.kind });
    if (outcome.error !== undefined) span?.fail(outcome.error.code);
    return outcome;
  });
}

/** Reports a run that ended, or paused, in the transaction of its claim. */
export function reportAtOnce(
  tracing: Tracing | undefined,
  run: TracedRun,
  steps: readonly StepState[],
  since: number,
): void {
  const span = runSpan(tracing, run, since);
  if (span === undefined) return;
  for (const step of steps) {
    const part = span.child(`step ${step.kind}`, 'internal', stepAttributes(step), since);
    if (step.error !== null) part?.fail(step.error.code);
    part?.end();
  }
  span.end();
}
