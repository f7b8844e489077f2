import { type Column } from '../../ui/tables/data-table-column.js';
import { TRIGGER_TYPES } from '../../ui/trigger-types.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { WorkflowMenu } from '../menu/workflow-menu.js';
import { ActivityBars } from './activity-bars.js';
import { type Activity, DAYS } from './use-activity.js';
import { type WorkflowsQuery } from '../workflows.generated.js';
import classes from './workflow-columns.module.css';

type Row = WorkflowsQuery['workflows']['items'][number];

/** The columns of the list; `activity` has the runs of the last days, by the id of their workflow. */
export function workflowColumns(activity: ReadonlyMap<string, Activity>): readonly Column<Row>[] {
  const ofDays: Column<Row> = {
    header: `Failed, ${DAYS} days`,
    cell: ({ id }) => <ActivityBars activity={activity.get(id)} />,
    width: '194px',
    laptop: false,
  };
  return [...FIRST, ofDays, ...LAST];
}

const FIRST: readonly Column<Row>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '112px' },
  { header: 'Triggers', cell: (workflow) => <Triggers {...workflow} />, width: '96px', narrow: false },
  { header: 'Last run', cell: (workflow) => <LastRun {...workflow} />, width: '140px', phone: false },
];

const LAST: readonly Column<Row>[] = [
  { header: 'Next run', cell: (workflow) => <RelativeTime at={nextRun(workflow)} />, width: '112px', narrow: false },
  {
    header: 'Runs',
    cell: ({ runCount }) => runCount.toLocaleString('en'),
    width: '78px',
    align: 'right',
    narrow: false,
  },
  {
    header: 'Actions',
    cell: (workflow) => <WorkflowMenu workflow={workflow} label={`Actions for ${workflow.name}`} />,
    width: '92px',
    align: 'right',
    phone: false,
  },
];

/** An icon for each type of trigger of the workflow. */
function Triggers({ triggers: { items } }: Row) {
  const types = [...new Set(items.map(({ type }) => type))];
  if (types.length === 0) return <>—</>;
  return (
    <span className={classes.types}>
      {types.map((type) => {
        const { icon: Icon, label } = TRIGGER_TYPES[type];
        return (
          <span key={type} role="img" aria-label={label} title={label}>
            <Icon size={16} stroke={1.7} aria-hidden />
          </span>
        );
      })}
    </span>
  );
}

function LastRun({ lastRun }: Row) {
  return lastRun === null ? <>—</> : <StatusBadge status={lastRun.status} />;
}

/** The earliest tick of its schedules. */
function nextRun({ triggers: { items } }: Row): string | undefined {
  return items.flatMap(({ nextFireAt }) => nextFireAt ?? []).sort()[0];
}
