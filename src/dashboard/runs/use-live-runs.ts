import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { useCursor } from '../ui/tables/use-cursor.js';
import { useFirstChange } from '../ui/use-first-change.js';
import { useSoon } from '../ui/use-soon.js';
import { type RunFilters, bringsIn } from './list/use-run-filters.js';
import { RunsDocument, type RunsQuery } from './runs.generated.js';
import { type RunChange, useRunChanges } from './use-run-changes.js';

/**
 * A live page of runs: statuses change in place. New runs appear on the first page, unless `isHeld` (the pointer is over
 * a row, which must not move); otherwise they are only counted.
 */
export function useLiveRuns(filters: RunFilters, isHeld: () => boolean) {
  const { variables, isFirst, move } = useCursor();
  const [{ data, error, fetching }, execute] = useQuery({
    query: RunsDocument,
    variables: { ...variables, ...filters },
  });
  const runs = useMemo(() => pageOf(data?.runConnection), [data]);
  const [fresh, setFresh] = useState<{ filters: RunFilters; ids: ReadonlySet<string> }>({ filters, ids: new Set() });
  const waiting = fresh.filters === filters ? fresh.ids : new Set<string>();
  const reload = (): void => {
    setFresh({ filters, ids: new Set() });
    execute({ requestPolicy: 'network-only' });
  };
  const reloadSoon = useSoon(() => (isFirst && !isHeld() ? reload() : undefined), 400);
  const noteChange = (change: RunChange): void => {
    if (!bringsIn(filters, change)) return;
    setFresh((before) => {
      const ids = before.filters === filters ? before.ids : [];
      return { filters, ids: new Set([...ids, change.run.id]) };
    });
    reloadSoon();
  };
  // Behind the first response: what changes before the socket is open is heard too.
  const after = useFirstChange(data?.runConnection.latestChange);
  useRunChanges(filters.workflowId ?? undefined, noteChange, { pause: after === undefined, after });
  const showNew = (): void => {
    if (!isFirst) move({});
    reload();
  };
  // The first page shows new runs, and is full.
  const showFirst = useEffectEvent(() => move({}, { replace: true }));
  const isAtTop = !isFirst && !fetching && runs !== undefined && !runs.meta.hasPreviousPage;
  useEffect(() => {
    if (isAtTop) showFirst();
  }, [isAtTop]);
  return { runs, error, fetching, reload, waiting: waiting.size, showNew, reloadSoon };
}

/** The runs of a connection with their place, as tables take them. */
function pageOf(connection: RunsQuery['runConnection'] | undefined) {
  if (connection === undefined) return undefined;
  const { edges, pageInfo, totalCount } = connection;
  return { items: edges.map(({ node }) => node), meta: { ...pageInfo, total: totalCount } };
}
