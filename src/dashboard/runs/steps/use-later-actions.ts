import { useQuery } from 'urql';
import { type RunInDetailFragment, RunActionsDocument, type RunActionsQuery } from '../run.generated.js';
import { isFinished } from '../run-states.js';

/** The actions that a run ended before; none while it is active, and none if it did not begin. */
export function useLaterActions({ id, status, steps }: RunInDetailFragment): LaterActions {
  const [{ data }] = useQuery({
    query: RunActionsDocument,
    variables: { id },
    requestPolicy: 'cache-first',
    pause: !isFinished(status) || steps.length === 0,
  });
  return data?.run.id === id ? (data.run.actions?.slice(steps.length) ?? []) : [];
}

type LaterActions = NonNullable<RunActionsQuery['run']['actions']>;
