import { useEffect, useRef } from 'react';
import { useClient } from 'urql';
import { RunChangesDocument, type RunChangesSubscription } from './runs.generated.js';

/** One change of a run, with the run as it is now. */
export type RunChange = RunChangesSubscription['runStatusChanged'];

/** Subscribes to changes of the account's runs, or of one workflow's; the cache is updated before the callback. */
export function useRunChanges(workflowId: string | undefined, onChange: (change: RunChange) => void): void {
  const client = useClient();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    const source = client
      .subscription(RunChangesDocument, { workflowId })
      .subscribe(({ data }) => data && latest.current(data.runStatusChanged));
    return () => source.unsubscribe();
  }, [client, workflowId]);
}
