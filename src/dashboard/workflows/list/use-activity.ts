import { useMemo } from 'react';
import { useQuery } from 'urql';
import { timeZone, useBeginOf } from '../../ui/period.js';
import { useRunChanges } from '../../runs/use-run-changes.js';
import { useSoon } from '../../ui/use-soon.js';
import { WorkflowActivityDocument, type WorkflowActivityQuery } from '../workflows.generated.js';

/** The days that the list shows, including today. */
export const DAYS = 14;

/** Counting reads every run of these days. */
const PAUSE = 60_000;

type Node = NonNullable<WorkflowActivityQuery['nodes']>[number];

/** The runs of a workflow by day; null if there are too many to count. */
export type Activity = Extract<Node, { runStatistics: unknown }>['runStatistics'];

/** The activity of each workflow of a page, by its id; counted again once a minute while runs begin and end. */
export function useActivity(ids: readonly string[]): ReadonlyMap<string, Activity> {
  const from = useBeginOf({ bucket: 'DAY', count: DAYS });
  const [{ data }, ask] = useQuery({
    query: WorkflowActivityDocument,
    variables: { ids: [...ids], from, timezone: timeZone() },
    pause: ids.length === 0,
  });
  useRunChanges(
    undefined,
    useSoon(() => ask({ requestPolicy: 'network-only' }), PAUSE),
  );
  return useMemo(
    () =>
      new Map(
        data?.nodes.flatMap((node) =>
          node && 'runStatistics' in node ? [[node.id, node.runStatistics] as const] : [],
        ),
      ),
    [data],
  );
}
