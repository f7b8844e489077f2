import { type Column } from '../../ui/tables/data-table-column.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { type WebhooksQuery } from './webhooks.generated.js';
import classes from './webhooks.module.css';
import { WorkflowName } from './workflow-name.js';

type Row = WebhooksQuery['webhooks']['items'][number];

/** The columns of the list of webhooks. */
export const WEBHOOK_COLUMNS: readonly Column<Row>[] = [
  { header: 'URL', cell: (row) => <Address row={row} /> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '120px' },
  {
    header: 'Last delivery',
    cell: ({ deliveries }) => <Last delivery={deliveries.items[0]} />,
    width: '236px',
    phone: false,
  },
];

function Address({ row: { url, events, workflowId } }: { row: Row }) {
  return (
    <span className={classes.address}>
      <span title={url}>{url.replace(/^https?:\/\//, '')}</span>
      <span className={classes.soft}>
        {events.length === 1 ? events[0] : `${events.length} events`}
        {workflowId !== null && (
          <>
            {' · only '}
            <WorkflowName id={workflowId} />
          </>
        )}
      </span>
    </span>
  );
}

function Last({ delivery }: { delivery: Row['deliveries']['items'][number] | undefined }) {
  if (delivery === undefined) return <>None yet</>;
  return (
    <span className={classes.last}>
      <StatusBadge status={delivery.status} />
      <RelativeTime at={delivery.createdAt} />
    </span>
  );
}
