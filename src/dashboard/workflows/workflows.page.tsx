import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { type WorkflowStatus } from '../graphql/enums.generated.js';
import { DataTable } from '../ui/tables/data-table.js';
import { FilterBar } from '../ui/tables/filter-bar.js';
import { PageHeader } from '../ui/pages/page-header.js';
import { SearchField } from '../ui/tables/search-field.js';
import { StatusFilter, useStatusFilter } from '../ui/tables/status-filter.js';
import { usePaging } from '../ui/tables/use-paging.js';
import { useUrlValue } from '../ui/tables/use-url-value.js';
import { CreateWorkflowDialog } from './create-workflow.js';
import { NoWorkflows } from './no-workflows.js';
import { useLiveWorkflows } from './list/use-live-workflows.js';
import { useActivity } from './list/use-activity.js';
import { workflowColumns } from './list/workflow-columns.js';
import { IconPlus } from '../ui/icons/icons.js';

const STATUSES = ['ACTIVE', 'DRAFT', 'PAUSED', 'ARCHIVED'] as const satisfies readonly WorkflowStatus[];

/** `/workflows`: all workflows, newest first, with filters by status and text, and a dialog for a new one. */
export function WorkflowsPage() {
  const { page, perPage } = usePaging();
  const status = useStatusFilter(STATUSES);
  const [search] = useUrlValue('search');
  const [creating, dialog] = useDisclosure();
  const list = useLiveWorkflows({ page, perPage, status, search: search || undefined });
  const ids = useMemo(() => list.workflows?.items.map(({ id }) => id) ?? [], [list.workflows]);
  const activity = useActivity(ids);
  const columns = useMemo(() => workflowColumns(activity), [activity]);
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
        columns={columns}
        page={list.workflows}
        fetching={list.fetching}
        error={list.error}
        onRetry={list.reload}
        href={({ id }) => `/workflows/${id}`}
        empty={<NoWorkflows filtered={status !== undefined || search !== ''} create={create} />}
      />
      <CreateWorkflowDialog opened={creating} onClose={dialog.close} />
    </>
  );
}
