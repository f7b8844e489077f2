import { durationInWords } from '../ui/values/duration.js';
import { useNow } from '../ui/values/use-now.js';
import { isFinished } from './run-states.js';
import { type RunInListFragment } from './runs.generated.js';

/** How long a run took; for an active run the growing time so far. */
export function RunDuration({ run }: { run: Pick<RunInListFragment, 'status' | 'startedAt' | 'finishedAt'> }) {
  const { status, startedAt, finishedAt } = run;
  const now = useNow(startedAt !== null && !isFinished(status));
  if (startedAt === null) return <span>—</span>;
  const end = finishedAt === null ? now : new Date(finishedAt).getTime();
  return <span>{durationInWords(end - new Date(startedAt).getTime())}</span>;
}
