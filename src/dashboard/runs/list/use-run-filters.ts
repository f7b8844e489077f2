import { useMemo } from 'react';
import { serviceNow } from '../../graphql/service-clock.js';
import { useStatusFilter } from '../../ui/tables/status-filter.js';
import { useUrlValue } from '../../ui/tables/use-url-value.js';
import { periodOf } from './period.js';
import { RUN_STATUSES } from '../run-states.js';
import { type RunChange } from '../use-run-changes.js';
import { type RunsQueryVariables } from '../runs.generated.js';

/** The filters of a list of runs, from the URL and from the page of the list. */
export type RunFilters = Omit<RunsQueryVariables, 'first' | 'after' | 'last' | 'before'>;

/**
 * The filters in the URL (`?search=`, `?status=`, `?workflow=`, `?time=`, `?tests=`), and those that the page of the list sets.
 */
export function useRunFilters(fixed: { workflowId?: string; triggerId?: string }): {
  filters: RunFilters;
  any: boolean;
} {
  const status = useStatusFilter(RUN_STATUSES);
  const [workflow] = useUrlValue('workflow');
  const [time] = useUrlValue('time');
  const [from] = useUrlValue('from');
  const [to] = useUrlValue('to');
  const [tests] = useUrlValue('tests');
  const [search] = useUrlValue('search');
  const { workflowId = workflow || undefined, triggerId } = fixed;
  // Computed when the filter was chosen: otherwise every render would be a new query.
  const period = useMemo(() => periodOf(time, new Date(serviceNow()), { from, to }), [time, from, to]);
  const isTest = tests === 'only' ? true : tests === 'none' ? false : undefined;
  const filters = useMemo(
    () => ({ status, workflowId, triggerId, isTest, search: search || undefined, ...period }),
    [status, workflowId, triggerId, isTest, search, period],
  );
  const any = [status, fixed.workflowId === undefined && workflow, time, tests, search].some((value) => Boolean(value));
  return { filters, any };
}

/** Whether a changed run belongs to a list with these filters. */
export function bringsIn(filters: RunFilters, { run, status, previousStatus }: RunChange): boolean {
  if (filters.status == null ? previousStatus !== null : status !== filters.status) return false;
  // Only the service searches inputs.
  if (filters.createdBefore != null || filters.search != null) return false;
  return (
    (filters.workflowId == null || run.workflowId === filters.workflowId) &&
    (filters.triggerId == null || run.triggerId === filters.triggerId) &&
    (filters.isTest == null || run.isTest === filters.isTest)
  );
}
