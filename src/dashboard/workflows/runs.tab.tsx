import { IconActivity } from '@tabler/icons-react';
import { useQuery, useSubscription } from 'urql';
import { type RunStatus } from '../graphql/enums.generated.js';
import { DataTable } from '../ui/data-table.js';
import { type Column } from '../ui/data-table-column.js';
import { EmptyState } from '../ui/empty-state.js';
import { FilterBar } from '../ui/filter-bar.js';
import { RelativeTime } from '../ui/relative-time.js';
import { StatusBadge } from '../ui/status-badge.js';
import { StatusFilter, useStatusFilter } from '../ui/status-filter.js';
import { usePaging } from '../ui/use-paging.js';
import { useSoon } from '../ui/use-soon.js';
import { useWorkflow } from './workflow-context.js';
import { WorkflowRunChangesDocument } from './workflow.generated.js';
import { RunsOfWorkflowDocument, type RunsOfWorkflowQuery } from './workflow-runs.generated.js';

const STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED'] as const satisfies RunStatus[];

const COLUMNS: readonly Column<RunsOfWorkflowQuery['runs']['items'][number]>[] = [
  { header: 'Run', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '140px' },
  { header: 'Fired by', cell: firedBy, width: '140px', phone: false },
];

/** `/workflows/:id/runs`: its runs, the new ones too as they come. */
export function RunsTab() {
  const { workflow } = useWorkflow();
  const { page, perPage } = usePaging();
  const status = useStatusFilter(STATUSES);
  const [{ data, error, fetching }, ask] = useQuery({
    query: RunsOfWorkflowDocument,
    variables: { workflowId: workflow.id, page, perPage, status },
  });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  const soon = useSoon(reload);
  useSubscription({ query: WorkflowRunChangesDocument, variables: { workflowId: workflow.id } }, (_, change) => {
    soon();
    return change;
  });
  return (
    <>
      <FilterBar>
        <StatusFilter statuses={STATUSES} />
      </FilterBar>
      <DataTable
        label="Runs"
        columns={COLUMNS}
        page={data?.runs}
        fetching={fetching}
        error={error}
        onRetry={reload}
        href={({ id }) => `/runs/${id}`}
        empty={
          <EmptyState icon={IconActivity} title="No runs">
            They appear here by themselves, as soon as a trigger fires.
          </EmptyState>
        }
      />
    </>
  );
}

function firedBy({ isTest, triggerType }: RunsOfWorkflowQuery['runs']['items'][number]): string {
  if (isTest) return 'Test';
  return triggerType.charAt(0) + triggerType.slice(1).toLowerCase().replace('_', ' ');
}
