import { type Column } from '../ui/data-table-column.js';
import { ExactTime } from '../ui/exact-time.js';
import { RelativeTime } from '../ui/relative-time.js';
import { StatusBadge } from '../ui/status-badge.js';
import { TRIGGER_TYPES } from '../ui/trigger-types.js';
import classes from './run-columns.module.css';
import { RunDuration } from './run-duration.js';
import { type RunInListFragment } from './runs.generated.js';
import { reasonInWords } from './status-reasons.js';

const WHAT: Column<RunInListFragment> = {
  header: 'Run',
  cell: ({ workflow, isTest, retryOf, ...run }) => (
    <span className={classes.run}>
      <span className={classes.name}>
        <span>{workflow?.name ?? 'Deleted workflow'}</span>
        {isTest && <span className={classes.mark}>Test</span>}
        {retryOf !== null && <span className={classes.mark}>Retry</span>}
      </span>
      <RunRemark run={run} />
    </span>
  ),
};

const ID: Column<RunInListFragment> = {
  ...WHAT,
  cell: ({ id, isTest, retryOf, ...run }) => (
    <span className={classes.run}>
      <span className={classes.name}>
        <code>…{id.slice(-8)}</code>
        {isTest && <span className={classes.mark}>Test</span>}
        {retryOf !== null && <span className={classes.mark}>Retry</span>}
      </span>
      <RunRemark run={run} />
    </span>
  ),
};

const REST: readonly Column<RunInListFragment>[] = [
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '140px' },
  { header: 'Trigger', cell: ({ triggerType }) => <TriggerWord type={triggerType} />, width: '130px', phone: false },
  { header: 'Took', cell: (run) => <RunDuration run={run} />, width: '124px', align: 'right', phone: false },
  { header: 'Made', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: '120px' },
];

/** The columns of a list of runs; within one workflow a run is named by the end of its id. */
export function runColumns({ ofOneWorkflow }: { ofOneWorkflow: boolean }): readonly Column<RunInListFragment>[] {
  return [ofOneWorkflow ? ID : WHAT, ...REST];
}

/** Why a run is as it is, where that needs words: the reason, the error, or until when it waits. */
function RunRemark({ run }: { run: Pick<RunInListFragment, 'statusReason' | 'error' | 'resumesAt'> }) {
  const { statusReason, error, resumesAt } = run;
  if (statusReason !== null) return <span className={classes.remark}>{reasonInWords(statusReason)}</span>;
  if (error !== null) return <span className={classes.remark}>{error.message}</span>;
  if (resumesAt === null) return null;
  return (
    <span className={classes.remark}>
      Waits until <ExactTime at={resumesAt} />
    </span>
  );
}

function TriggerWord({ type }: { type: RunInListFragment['triggerType'] }) {
  const { label, icon: Icon } = TRIGGER_TYPES[type];
  return (
    <span className={classes.trigger}>
      <Icon size={15} stroke={1.7} aria-hidden />
      {label}
    </span>
  );
}
