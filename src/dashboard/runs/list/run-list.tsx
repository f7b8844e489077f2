import { useRef } from 'react';
import { DataTable } from '../../ui/tables/data-table.js';
import { BulkActions } from '../bulk/bulk-actions.js';
import { NewRuns } from './new-runs.js';
import { NoRuns } from './no-runs.js';
import { runColumns } from './run-columns.js';
import { RunFilterBar } from './run-filter-bar.js';
import classes from './run-list.module.css';
import { useLiveRuns } from '../use-live-runs.js';
import { useRunFilters } from './use-run-filters.js';

const IN_WORKFLOW = runColumns({ ofOneWorkflow: true });
const ANYWHERE = runColumns({ ofOneWorkflow: false });

/** Runs with their filters, live: of the account, of one workflow, or of one trigger. */
export function RunList({ workflowId, triggerId }: { workflowId?: string; triggerId?: string }) {
  const { filters, any } = useRunFilters({ workflowId, triggerId });
  const table = useRef<HTMLDivElement>(null);
  const isHeld = (): boolean => table.current?.matches(':has(tbody:hover), :has(tbody :focus-visible)') ?? false;
  const { runs, error, fetching, reload, waiting, showNew, reloadSoon } = useLiveRuns(filters, isHeld);
  const isOfOne = workflowId !== undefined || triggerId !== undefined;
  return (
    <>
      <RunFilterBar withWorkflow={!isOfOne} withTests={triggerId === undefined} />
      <BulkActions filters={filters} any={any || isOfOne} />
      <div ref={table} className={classes.list} onMouseLeave={() => waiting > 0 && reloadSoon()}>
        <NewRuns count={waiting} onShow={showNew} />
        <DataTable
          label="Runs"
          columns={isOfOne ? IN_WORKFLOW : ANYWHERE}
          page={runs}
          fetching={fetching && runs === undefined}
          error={error}
          onRetry={reload}
          href={({ id }) => `/runs/${id}`}
          empty={<NoRuns filtered={any} searched={filters.search !== undefined} isOfOne={isOfOne} />}
        />
      </div>
    </>
  );
}
