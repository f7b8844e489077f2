import { type ReactNode, useMemo } from 'react';
import { useQuery } from 'urql';
import { WorkflowSelect } from '../../runs/list/workflow-select.js';
import { type TriggerStatus } from '../../graphql/enums.generated.js';
import { useRunChanges } from '../../runs/use-run-changes.js';
import { useOnReturn } from '../../ui/use-on-return.js';
import { useSoon } from '../../ui/use-soon.js';
import { DataTable } from '../../ui/tables/data-table.js';
import { FilterBar } from '../../ui/tables/filter-bar.js';
import { SearchField } from '../../ui/tables/search-field.js';
import { StatusFilter, useStatusFilter } from '../../ui/tables/status-filter.js';
import { usePaging } from '../../ui/tables/use-paging.js';
import { useUrlValue } from '../../ui/tables/use-url-value.js';
import { NoTriggers } from './no-triggers.js';
import { triggerColumns } from './trigger-columns.js';
import { TriggerTypeFilter, useTriggerTypeFilter } from './trigger-type-filter.js';
import { TriggersDocument } from '../triggers.generated.js';
import { useSources } from '../fields/use-sources.js';

const STATUSES = ['ACTIVE', 'PAUSED', 'ERROR'] as const satisfies readonly TriggerStatus[];

/** Triggers with filters, of the account or of one workflow; `create` is the empty state. */
export function TriggerList({ workflowId, create }: { workflowId?: string; create?: ReactNode }) {
  const { page, perPage } = usePaging();
  const status = useStatusFilter(STATUSES);
  const type = useTriggerTypeFilter();
  const [workflow, chooseWorkflow] = useUrlValue('workflow');
  const [search] = useUrlValue('search');
  const of = { workflowId: workflowId ?? (workflow || undefined), search: search || undefined };
  const [{ data, error, fetching, stale }, ask] = useQuery({
    query: TriggersDocument,
    variables: { page, perPage, status, type, ...of },
  });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  useRunChanges(workflowId, useSoon(reload));
  useOnReturn(reload);
  const namesAreAsked = data?.triggers.items.some(({ config }) => config.integration_id !== undefined) ?? false;
  const { nameOf } = useSources(!namesAreAsked);
  const columns = useMemo(
    () => triggerColumns(nameOf, { withWorkflow: workflowId === undefined }),
    [nameOf, workflowId],
  );
  const isFiltered = status !== undefined || type !== undefined || workflow !== '' || search !== '';
  return (
    <>
      <FilterBar>
        <SearchField label="Search triggers" />
        {workflowId === undefined && (
          <WorkflowSelect aria-label="Workflow" value={workflow} onChange={chooseWorkflow} all="All workflows" />
        )}
        <TriggerTypeFilter />
        <StatusFilter statuses={STATUSES} />
      </FilterBar>
      <DataTable
        label="Triggers"
        columns={columns}
        page={data?.triggers}
        fetching={fetching && !stale}
        error={error}
        onRetry={reload}
        href={({ id }) => `/triggers/${id}`}
        empty={<NoTriggers filtered={isFiltered} create={create} />}
      />
    </>
  );
}
