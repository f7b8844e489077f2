import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { type WorkflowStatus } from '../graphql/enums.generated.js';
import { DataTable } from '../ui/tables/data-table.js';
import { type Column } from '../ui/tables/data-table-column.js';
import { FilterBar } from '../ui/tables/filter-bar.js';
import { PageHeader } from '../ui/pages/page-header.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { SearchField } from '../ui/tables/search-field.js';
import { StatusBadge } from '../ui/values/status-badge.js';
import { StatusFilter, useStatusFilter } from '../ui/tables/status-filter.js';
import { usePaging } from '../ui/tables/use-paging.js';
import { useUrlValue } from '../ui/tables/use-url-value.js';
import { CreateWorkflowDialog } from './create-workflow.js';
import { NoWorkflows } from './no-workflows.js';
import { WorkflowsDocument, type WorkflowsQuery } from './workflows.generated.js';

const STATUSES = ['ACTIVE', 'DRAFT', 'PAUSED', 'ARCHIVED'] as const satisfies readonly WorkflowStatus[];

const COLUMNS: readonly Column<WorkflowsQuery['workflows']['items'][number]>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '130px' },
  {
    header: 'Runs',
    cell: ({ runCount }) => runCount.toLocaleString('en'),
    width: '110px',
    align: 'right',
    phone: false,
  },
  { header: 'Updated', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />, width: '150px', phone: false },
];

/** `/workflows`: all workflows, newest first, with filters by status and text, and a dialog for a new one. */
export function WorkflowsPage() {
  const { page, perPage } = usePaging();
  const status = useStatusFilter(STATUSES);
  const [search] = useUrlValue('search');
  const [creating, dialog] = useDisclosure();
  const [{ data, error, fetching }, reload] = useQuery({
    query: WorkflowsDocument,
    variables: { page, perPage, status, search: search || undefined },
  });
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      New workflow
    </Button>
  );
  return (
    <>
      <PageHeader title="Workflows" lead="A series of actions that run when a trigger fires." actions={create} />
      <FilterBar>
        <SearchField label="Search workflows" />
        <StatusFilter statuses={STATUSES} />
      </FilterBar>
      <DataTable
        label="Workflows"
        columns={COLUMNS}
        page={data?.workflows}
        fetching={fetching}
        error={error}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
        href={({ id }) => `/workflows/${id}`}
        empty={<NoWorkflows filtered={status !== undefined || search !== ''} create={create} />}
      />
      <CreateWorkflowDialog opened={creating} onClose={dialog.close} />
    </>
  );
}
