import { type Column } from '../../../ui/tables/data-table-column.js';
import { RelativeTime } from '../../../ui/values/relative-time.js';
import { StatusBadge } from '../../../ui/values/status-badge.js';
import { type DeliveryRowFragment } from '../deliveries.generated.js';
import classes from '../webhook.module.css';

/** The columns of the list of deliveries. */
export const DELIVERY_COLUMNS: readonly Column<DeliveryRowFragment>[] = [
  { header: 'Event', cell: ({ type }) => <span className={classes.what}>{type}</span> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '138px' },
  { header: 'Response', cell: (row) => <Response row={row} />, width: '116px', phone: false },
  { header: 'Attempts', cell: ({ attempts }) => attempts, width: '96px', align: 'right', narrow: false },
  { header: 'Next attempt', cell: (row) => <Next row={row} />, width: '130px', phone: false },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: '116px', narrow: false },
];

function Response({ row: { responseStatus, attempts, error } }: { row: DeliveryRowFragment }) {
  if (responseStatus !== null) return <span className={classes.response}>{responseStatus}</span>;
  return <>{attempts > 0 && error !== null ? 'None' : '—'}</>;
}

function Next({ row: { status, nextAttemptAt } }: { row: DeliveryRowFragment }) {
  if (status !== 'PENDING') return <>—</>;
  return <RelativeTime at={nextAttemptAt} fallback="Being sent" />;
}
