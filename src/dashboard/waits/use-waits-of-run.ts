import { useQuery } from 'urql';
import { useWaitChanges } from './use-wait-changes.js';
import { type WaitInDetailFragment, WaitsOfRunDocument } from './waits.generated.js';

/** What a run waits for, live; undefined until loaded, and while it does not wait. */
export function useWaitsOfRun(runId: string, isWaiting: boolean): readonly WaitInDetailFragment[] | undefined {
  const pause = !isWaiting;
  const [{ data }, execute] = useQuery({ query: WaitsOfRunDocument, variables: { runId }, pause });
  const reload = (): void => execute({ requestPolicy: 'network-only' });
  useWaitChanges({ runId }, data?.waits.latestChange, reload, { pause });
  return isWaiting ? data?.waits.items.filter(({ status }) => status === 'PENDING') : undefined;
}
