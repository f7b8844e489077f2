import { useParams } from 'react-router';
import { useQuery } from 'urql';
import { faultOf } from '../graphql/request-fault.js';
import { useRunChanges } from '../runs/use-run-changes.js';
import { NotThere } from '../ui/pages/not-there.js';
import { useOnReturn } from '../ui/use-on-return.js';
import { useSoon } from '../ui/use-soon.js';
import { TriggerSkeleton } from './view/trigger-skeleton.js';
import { TriggerView } from './view/trigger-view.js';
import { TriggerDocument } from './triggers.generated.js';

/** `/triggers/:id`: the type, status, settings and runs of a trigger. */
export function TriggerPage() {
  const { id = '' } = useParams();
  const [{ data, error }, ask] = useQuery({ query: TriggerDocument, variables: { id } });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  const soon = useSoon(reload);
  // A run tells that the trigger has fired: its last run is a new one, and a schedule has a new next time.
  useRunChanges(
    data?.trigger.workflowId,
    ({ previousStatus, run }) => {
      if (previousStatus === null && run.triggerId === id) soon();
    },
    { pause: data === undefined },
  );
  useOnReturn(reload);
  const isGone = error !== undefined && faultOf(error).code === 'NOT_FOUND';
  if (data?.trigger.id === id && !isGone) return <TriggerView key={id} trigger={data.trigger} />;
  if (error === undefined) return <TriggerSkeleton />;
  return (
    <NotThere what="trigger" all="/triggers" error={error} onRetry={reload}>
      The URL may be mistyped, or the trigger was deleted, perhaps with its workflow.
    </NotThere>
  );
}
