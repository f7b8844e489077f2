import { type StepStatus } from '../../graphql/enums.generated.js';
import { type RunInDetailFragment } from '../run.generated.js';

/** One step of a run as the query returns it. */
export type RunStep = RunInDetailFragment['steps'][number];

/** A step's position on its run's time axis, as fractions; `milliseconds` is its duration (so far). */
export interface Span {
  from: number;
  length: number;
  milliseconds: number;
}

/** The minimum width of a visible bar. */
const LEAST = 0.006;

/** The times of the steps within the run, up to `now` while it is active; carried-over steps have none. */
export function spansOf(run: Pick<RunInDetailFragment, 'startedAt' | 'finishedAt' | 'steps'>, now: number): Span[] {
  const start = run.startedAt === null ? now : timeOf(run.startedAt);
  const end = Math.max(start + 1, run.finishedAt === null ? now : timeOf(run.finishedAt));
  return run.steps.map((step) => {
    const from = step.startedAt === null ? now : timeOf(step.startedAt);
    const to = Math.max(from, step.finishedAt === null ? now : timeOf(step.finishedAt));
    const left = Math.min(1 - LEAST, Math.max(0, (from - start) / (end - start)));
    return {
      from: left,
      length: Math.min(1 - left, Math.max(LEAST, (to - from) / (end - start))),
      milliseconds: to - from,
    };
  });
}

/** Whether the original run executed the step, and this run copied it. */
export function isCarriedOver(step: RunStep, run: Pick<RunInDetailFragment, 'createdAt'>): boolean {
  return step.finishedAt !== null && timeOf(step.finishedAt) <= timeOf(run.createdAt);
}

function timeOf(moment: string): number {
  return new Date(moment).getTime();
}

/** The status of a step as it is shown: the API has no status for a step whose run was canceled during it. */
export function statusOf({ status, error }: Pick<RunStep, 'status' | 'error'>): StepStatus | 'CANCELED' {
  return status === 'FAILED' && error?.code === 'canceled' ? 'CANCELED' : status;
}
