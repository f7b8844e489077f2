import { type RunInDetailFragment } from '../run.generated.js';

/** Whether a retry continues from the failed step; any other run starts over. */
export function goesOn({ status }: Pick<RunInDetailFragment, 'status'>): boolean {
  return status === 'FAILED' || status === 'CANCELED';
}

/** The number of leading steps that a retry copies from the run if their actions are unchanged. */
export function stepsToCarryOver(run: RunInDetailFragment): number {
  if (!goesOn(run)) return 0;
  const end = run.steps.findIndex(({ status }) => status !== 'SUCCEEDED');
  return end === -1 ? run.steps.length : end;
}
