import { useState } from 'react';
import { useQuery } from 'urql';
import { usePaging } from '../ui/tables/use-paging.js';
import { useSoon } from '../ui/use-soon.js';
import { type RunFilters, bringsIn } from './list/use-run-filters.js';
import { RunsDocument } from './runs.generated.js';
import { useRunChanges } from './use-run-changes.js';

/**
 * A live page of runs: statuses change in place. New runs appear on the first page, unless `isHeld` (the pointer is over
 * a row, which must not move); otherwise they are only counted.
 */
export function useLiveRuns(filters: RunFilters, isHeld: () => boolean) {
  const { page, perPage, setPage } = usePaging();
  const [{ data, error, fetching }, execute] = useQuery({
    query: RunsDocument,
    variables: { page, perPage, ...filters },
  });
  const [fresh, setFresh] = useState<{ filters: RunFilters; ids: ReadonlySet<string> }>({ filters, ids: new Set() });
  const waiting = fresh.filters === filters ? fresh.ids : new Set<string>();
  const reload = (): void => {
    setFresh({ filters, ids: new Set() });
    execute({ requestPolicy: 'network-only' });
  };
  const reloadSoon = useSoon(() => (page === 1 && !isHeld() ? reload() : undefined), 400);
  useRunChanges(filters.workflowId ?? undefined, (change) => {
    if (!bringsIn(filters, change)) return;
    setFresh((before) => {
      const ids = before.filters === filters ? before.ids : [];
      return { filters, ids: new Set([...ids, change.run.id]) };
    });
    reloadSoon();
  });
  const showNew = (): void => {
    if (page !== 1) setPage(1);
    reload();
  };
  return { runs: data?.runs, error, fetching, reload, waiting: waiting.size, showNew, reloadSoon };
}
