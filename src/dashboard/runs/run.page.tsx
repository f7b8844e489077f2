import { useParams } from 'react-router';
import { NotThere } from '../ui/pages/not-there.js';
import { RunSkeleton } from './run-skeleton.js';
import { RunView } from './run-view.js';
import { useLiveRun } from './use-live-run.js';

/** `/runs/:id`: a run's input, steps and status; live until it has ended. */
export function RunPage() {
  const { id = '' } = useParams();
  const { run, error, reload } = useLiveRun(id);
  if (error !== undefined)
    return (
      <NotThere what="run" all="/runs" error={error} onRetry={() => reload({ requestPolicy: 'network-only' })}>
        The URL may be mistyped, or the run was deleted: runs of deleted workflows are kept for 30 days.
      </NotThere>
    );
  return run === undefined ? <RunSkeleton /> : <RunView key={run.id} run={run} />;
}
