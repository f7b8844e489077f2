import { type RunInDetailFragment } from './run.generated.js';

/** One step of a run as it came back. */
export type RunStep = RunInDetailFragment['steps'][number];

/** Where a step lies in the time of its run, both as fractions of it; `milliseconds` is what it took, or has so far. */
export interface Span {
  from: number;
  length: number;
  milliseconds: number;
}

/** Narrower bars can't be seen. */
const LEAST = 0.006;

/** The times of the steps within the run, up to `now` while it goes on; a step carried over from an earlier run has none. */
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

/** Whether a step was carried out by the run that this one repeats, and not again. */
export function isCarriedOver(step: RunStep, run: Pick<RunInDetailFragment, 'createdAt'>): boolean {
  return step.finishedAt !== null && timeOf(step.finishedAt) <= timeOf(run.createdAt);
}

function timeOf(moment: string): number {
  return new Date(moment).getTime();
}
