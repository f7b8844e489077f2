import { type Column } from '../../ui/tables/data-table-column.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { AppMark } from '../catalog/app-mark.js';
import { EndDate } from '../../ui/values/end-date.js';
import classes from './integration-columns.module.css';
import { hasUnnamedUse } from '../dependants/unnamed-use.js';
import { type IntegrationsQuery } from '../integrations.generated.js';
import { reasonInWords } from '../status-reasons.js';

type Row = IntegrationsQuery['integrations']['items'][number];

/** The columns of the list of connections. */
export const INTEGRATION_COLUMNS: readonly Column<Row>[] = [
  { header: 'Connection', cell: (row) => <Name row={row} /> },
  { header: 'Status', cell: (row) => <StatusWithReason row={row} />, width: 'clamp(142px, 20vw, 290px)' },
  { header: 'Used by', cell: (row) => <UsedBy row={row} />, width: '160px', phone: false },
  {
    header: 'Expires',
    cell: (row) => <Expiry row={row} />,
    width: '132px',
    phone: false,
    narrow: false,
  },
];

function Name({ row: { name, type, reference, account, integrationType } }: { row: Row }) {
  const app = integrationType?.name ?? type;
  const who = account?.name ?? account?.externalId;
  return (
    <span className={classes.name}>
      <AppMark type={type} name={app} />
      <span className={classes.text}>
        <span>{reference === null ? name : `${name} · ${reference}`}</span>
        <span className={classes.soft}>
          {[app === name ? undefined : app, who].filter(Boolean).join(' · ') || type}
        </span>
      </span>
    </span>
  );
}

function StatusWithReason({ row: { status, statusReason } }: { row: Row }) {
  return (
    <span className={classes.status}>
      <StatusBadge status={status} />
      {statusReason !== null && status !== 'CONNECTED' && (
        <span className={classes.reason}>{reasonInWords(statusReason).label}</span>
      )}
    </span>
  );
}

function Expiry({ row: { expiresAt, renews } }: { row: Row }) {
  return (
    <span className={classes.text}>
      <EndDate at={expiresAt} />
      {renews && <span className={classes.soft}>Renews itself</span>}
    </span>
  );
}

function UsedBy({ row }: { row: Row }) {
  const { total } = row.workflows.meta;
  if (total === 0) return <span>{hasUnnamedUse(row) ? 'No workflow names it' : 'Nothing yet'}</span>;
  return <span>{total === 1 ? '1 workflow' : `${total.toLocaleString('en')} workflows`}</span>;
}
