import { type Column } from '../../ui/tables/data-table-column.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import classes from './trigger-list.module.css';
import { TRIGGER_TYPES } from '../../ui/trigger-types.js';
import { triggerInWords, triggerTitle } from '../trigger-words.js';
import { type TriggersQuery } from '../triggers.generated.js';

type Row = TriggersQuery['triggers']['items'][number];

/** The columns of a list of triggers; the end of its URL tells a webhook from others, and `nameOf` gives a connection's name by its id. */
export function triggerColumns(
  nameOf: (id: string) => string | undefined,
  { withWorkflow }: { withWorkflow: boolean },
): readonly Column<Row>[] {
  const workflow: Column<Row> = {
    header: 'Workflow',
    cell: ({ workflow: { name } }) => name,
    width: '22%',
    narrow: false,
  };
  return [
    { header: 'Fires', cell: (trigger) => <What trigger={trigger} nameOf={nameOf} withWorkflow={withWorkflow} /> },
    ...(withWorkflow ? [workflow] : []),
    { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '116px' },
    {
      header: 'Last fired',
      cell: ({ lastRun }) => (lastRun === null ? '—' : <RelativeTime at={lastRun.createdAt} />),
      width: '120px',
      narrow: false,
    },
    { header: 'Next', cell: (trigger) => <Next trigger={trigger} />, width: '130px', phone: false },
  ];
}

interface WhatProps {
  trigger: Row;
  nameOf: (id: string) => string | undefined;
  withWorkflow: boolean;
}

function What({ trigger, nameOf, withWorkflow }: WhatProps) {
  const { label, icon: Icon } = TRIGGER_TYPES[trigger.type];
  return (
    <span className={classes.what}>
      <span className={classes.icon}>
        <Icon size={17} stroke={1.7} aria-hidden />
      </span>
      <span className={classes.words}>
        <span>{triggerTitle(trigger, nameOf)}</span>
        <span className={classes.type}>
          {label}
          {trigger.name !== null && ` · ${triggerInWords(trigger, nameOf)}`}
          {trigger.webhookUrl !== null && ` · …${trigger.webhookUrl.slice(-8)}`}
          {withWorkflow && <span className={classes.narrow}> · {trigger.workflow.name}</span>}
        </span>
      </span>
    </span>
  );
}

function Next({ trigger: { type, status, nextFireAt, workflow } }: { trigger: Row }) {
  if (status === 'ACTIVE' && workflow.status !== 'ACTIVE') return <>Workflow {workflow.status.toLowerCase()}</>;
  if (nextFireAt !== null) return <RelativeTime at={nextFireAt} />;
  if (status !== 'ACTIVE' || type === 'SCHEDULE') return <>—</>;
  return <>On demand</>;
}
