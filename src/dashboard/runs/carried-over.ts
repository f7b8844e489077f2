import { type RunInDetailFragment } from './run.generated.js';

/** Whether a retry goes on where the run stopped; any other run starts over. */
export function goesOn({ status }: Pick<RunInDetailFragment, 'status'>): boolean {
  return status === 'FAILED' || status === 'CANCELED';
}

/** How many leading steps a retry takes from the run, as long as their actions stay as they were. */
export function stepsToCarryOver(run: RunInDetailFragment): number {
  if (!goesOn(run)) return 0;
  const end = run.steps.findIndex(({ status }) => status !== 'SUCCEEDED');
  return end === -1 ? run.steps.length : end;
}
