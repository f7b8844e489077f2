import { useParams } from 'react-router';
import { RunSkeleton } from './run-skeleton.js';
import { NoSuchRun } from './no-such-run.js';
import { RunView } from './run-view.js';
import { useLiveRun } from './use-live-run.js';

/** `/runs/:id`: what a run was given, what its steps did, how it stands; live until it has ended. */
export function RunPage() {
  const { id = '' } = useParams();
  const { run, error, reload } = useLiveRun(id);
  if (error !== undefined) return <NoSuchRun error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />;
  return run === undefined ? <RunSkeleton /> : <RunView key={run.id} run={run} />;
}
