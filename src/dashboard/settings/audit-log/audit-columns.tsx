import { type Column } from '../../ui/tables/data-table-column.js';
import { ExactTime } from '../../ui/values/exact-time.js';
import classes from './audit-log.module.css';
import { type AuditEntryFactsFragment } from './audit-log.generated.js';
import { actorWords, auditWords, changesInWords } from './audit-words.js';

/** The columns of the audit log. */
export const AUDIT_COLUMNS: readonly Column<AuditEntryFactsFragment>[] = [
  { header: 'Change', cell: (entry) => <What entry={entry} /> },
  { header: 'By', cell: ({ actor }) => actorWords(actor), width: '200px', phone: false },
  { header: 'From', cell: ({ address }) => address ?? '–', width: '160px', narrow: false },
  { header: 'When', cell: ({ at }) => <ExactTime at={at} />, width: '190px', phone: false },
];

function What({ entry: { action, resource, before, after, actor, at } }: { entry: AuditEntryFactsFragment }) {
  const changes = changesInWords(before, after);
  return (
    <span className={classes.what}>
      <span>
        {auditWords(action)}
        {resource.name !== null && <> · {resource.name}</>}
      </span>
      <span className={classes.soft}>{changes.length > 0 ? changes.join(', ') : resource.id}</span>
      <span className={classes.onPhone}>
        {actorWords(actor)} · <ExactTime at={at} />
      </span>
    </span>
  );
}
