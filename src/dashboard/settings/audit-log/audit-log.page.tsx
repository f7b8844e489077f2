import { Button } from '@mantine/core';
import { useQuery } from 'urql';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { DataTable } from '../../ui/tables/data-table.js';
import { usePaging } from '../../ui/tables/use-paging.js';
import { useOnReturn } from '../../ui/use-on-return.js';
import { AUDIT_COLUMNS } from './audit-columns.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { AuditLogDocument } from './audit-log.generated.js';
import { useAuditExport } from './use-audit-export.js';
import { useAuditFilters } from './use-audit-filters.js';
import { IconDownload, IconHistory } from '../../ui/icons/icons.js';

/** `/settings/audit-log`: the changes of the account's settings, newest first. */
export function AuditLogPage() {
  const { page, perPage } = usePaging();
  const { filters, any } = useAuditFilters();
  const variables = { page, perPage, ...filters };
  const [{ data, error, fetching }, ask] = useQuery({ query: AuditLogDocument, variables });
  const { save, isSaving } = useAuditExport(filters);
  const reload = () => ask({ requestPolicy: 'network-only' });
  useOnReturn(reload);
  return (
    <>
      <PageHeader
        title="Audit log"
        lead="Who changed what, when and from which address. Entries are kept for 365 days. Runs are not in it."
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={isSaving}
            onClick={() => void save()}
          >
            Export CSV
          </Button>
        }
      />
      <AuditFilterBar />
      <DataTable
        label="Audit log"
        columns={AUDIT_COLUMNS}
        page={data?.auditLog}
        fetching={fetching && data === undefined}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={IconHistory} title={any ? 'No entry matches' : 'No changes yet'}>
            {any
              ? 'No entries match these filters.'
              : 'Each change of a workflow, trigger, connection, webhook, key or user appears here.'}
          </EmptyState>
        }
      />
    </>
  );
}
