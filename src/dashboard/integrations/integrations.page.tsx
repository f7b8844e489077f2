import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../graphql/integration-changes.generated.js';
import { type IntegrationStatus } from '../graphql/enums.generated.js';
import { DataTable } from '../ui/tables/data-table.js';
import { FilterBar } from '../ui/tables/filter-bar.js';
import { PageHeader } from '../ui/pages/page-header.js';
import { SearchField } from '../ui/tables/search-field.js';
import { StatusFilter, useStatusFilter } from '../ui/tables/status-filter.js';
import { usePaging } from '../ui/tables/use-paging.js';
import { useSoon } from '../ui/use-soon.js';
import { useUrlValue } from '../ui/tables/use-url-value.js';
import { INTEGRATION_COLUMNS } from './list/integration-columns.js';
import { Attempts } from './list/attempts.js';
import { IntegrationsDocument } from './integrations.generated.js';
import { NoIntegrations } from './list/no-integrations.js';
import { withoutAttempts } from './list/without-attempts.js';
import { IconAlertTriangle, IconPlus } from '../ui/icons/icons.js';

const STATUSES = ['CONNECTED', 'PENDING', 'EXPIRED', 'DISCONNECTED'] as const satisfies readonly IntegrationStatus[];

/** `/integrations`: the account's connections as they are at each moment, newest first. */
export function IntegrationsPage() {
  const { page, perPage } = usePaging();
  const status = useStatusFilter(STATUSES);
  const [search] = useUrlValue('search');
  const [attention] = useUrlValue('needs_attention');
  const needsAttention = attention === 'true';
  const [{ data, error, fetching }, reload] = useQuery({
    query: IntegrationsDocument,
    variables: { page, perPage, status, search: search || undefined, needsAttention },
  });
  // Listed rows update automatically; rows that are new, deleted or no longer match require a new query.
  const refetch = useSoon(() => reload({ requestPolicy: 'network-only' }), 300);
  useSubscription({ query: IntegrationChangesDocument }, (_before, change) => {
    refetch();
    return change;
  });
  const connect = (
    <Button component={Link} to="/integrations/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Connect an application
    </Button>
  );
  const list = data && withoutAttempts(data.integrations);
  const filtered = status !== undefined || search !== '';
  return (
    <>
      <PageHeader
        title="Connections"
        lead="Connections to the applications that your workflows use."
        actions={connect}
      />
      <FilterBar>
        <SearchField label="Search connections" />
        <StatusFilter statuses={STATUSES} />
        <AttentionFilter />
      </FilterBar>
      <DataTable
        label="Connections"
        columns={INTEGRATION_COLUMNS}
        page={list?.page}
        fetching={fetching}
        error={error}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
        href={({ id }) => `/integrations/${id}`}
        empty={<NoIntegrations filtered={filtered} needsAttention={needsAttention} connect={connect} />}
      />
      {list !== undefined && list.attempts.length > 0 && <Attempts attempts={list.attempts} onDeleted={refetch} />}
    </>
  );
}

function AttentionFilter() {
  const [chosen, choose] = useUrlValue('needs_attention');
  const on = chosen === 'true';
  return (
    <Button
      variant={on ? 'light' : 'default'}
      aria-pressed={on}
      style={{ flex: '0 0 auto' }}
      leftSection={<IconAlertTriangle size={15} aria-hidden />}
      onClick={() => choose(on ? '' : 'true')}
    >
      Needs attention
    </Button>
  );
}
