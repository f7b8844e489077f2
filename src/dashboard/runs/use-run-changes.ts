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
  /** The last change that was heard. Changes that come again are older: the place never moves back. */
  const place = useRef<RunChange>(undefined);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (pause) return undefined;
    let source: { unsubscribe: () => void } | undefined;
    const listen = (from: string | undefined): void => {
      source = client.subscription(RunChangesDocument, { workflowId, after: from }).subscribe(({ data, error }) => {
        if (data != null) {
          const change = data.runStatusChanged;
          if (place.current === undefined || change.at >= place.current.at) place.current = change;
          latest.current(change);
        } else if (error !== undefined && from !== undefined) {
          // The place is older than a day. What is on screen was fetched again when the socket opened.
          source?.unsubscribe();
          listen(undefined);
        }
      });
    };
    listen(after && (place.current?.id ?? after));
    return () => source?.unsubscribe();
  }, [client, workflowId, pause, after]);
}
