import { useEffect, useRef } from 'react';
import { useClient } from 'urql';
import { RunChangesDocument, type RunChangesSubscription } from './runs.generated.js';

/** One change of a run, with the run as it is now. */
export type RunChange = RunChangesSubscription['runStatusChanged'];

/**
 * Subscribes to changes of the account's runs, or of one workflow's, unless `pause` is set: those to come, or all `after` one. The
 * cache is updated before the callback.
 */
export function useRunChanges(
  workflowId: string | undefined,
  onChange: (change: RunChange) => void,
  { pause = false, after }: { pause?: boolean; after?: string | undefined } = {},
): void {
  const client = useClient();
  const latest = useRef(onChange);
  /** The last change that was heard. */
  const place = useRef<string>(undefined);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (pause) return undefined;
    let source: { unsubscribe: () => void } | undefined;
    const listen = (from: string | undefined): void => {
      source = client.subscription(RunChangesDocument, { workflowId, after: from }).subscribe(({ data, error }) => {
        if (data != null) {
          place.current = data.runStatusChanged.id;
          latest.current(data.runStatusChanged);
        } else if (error !== undefined && from !== undefined) {
          // The place is older than a day. What is on screen was fetched again when the socket opened.
          source?.unsubscribe();
          listen(undefined);
        }
      });
    };
    listen(after && (place.current ?? after));
    return () => source?.unsubscribe();
  }, [client, workflowId, pause, after]);
}
