import { type Column } from '../ui/tables/data-table-column.js';
import { DataTable } from '../ui/tables/data-table.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { Section } from '../ui/pages/section.js';
import { StatusBadge } from '../ui/values/status-badge.js';
import { type IntegrationDetail } from './integration-detail.js';
import { eventInWords } from './status-reasons.js';

type Change = IntegrationDetail['history']['items'][number];

const COLUMNS: readonly Column<Change>[] = [
  {
    header: 'Event',
    cell: ({ reason, status, actor }) => eventInWords(reason ?? status.toLowerCase(), actor),
  },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '150px', phone: false },
  { header: 'When', cell: ({ at }) => <RelativeTime at={at} />, width: '120px' },
];

/** Event to a connection, newest first. */
export function IntegrationHistory({ integration, fetching }: { integration: IntegrationDetail; fetching: boolean }) {
  return (
    <Section title="History">
      <DataTable
        label="History"
        columns={COLUMNS}
        page={integration.history}
        fetching={fetching}
        error={undefined}
        onRetry={() => undefined}
        empty={undefined}
      />
    </Section>
  );
}
