import { type Column } from '../../ui/tables/data-table-column.js';
import { ExactTime } from '../../ui/values/exact-time.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { TRIGGER_TYPES } from '../../ui/trigger-types.js';
import classes from './run-columns.module.css';
import { RunDuration } from '../run-duration.js';
import { type RunInListFragment } from '../runs.generated.js';
import { failedAttempt } from '../failed-attempt.js';
import { runReason } from '../status-reasons.js';
import { IconFlask } from '../../ui/icons/icons.js';

const WHAT: Column<RunInListFragment> = {
  header: 'Run',
  cell: ({ workflow, isTest, retryOf, retriedBy, ...run }) => (
    <span className={classes.run}>
      <span className={classes.name}>
        <span>{workflow?.name ?? 'Deleted workflow'}</span>
        {isTest && <span className={classes.mark}>Test</span>}
        {retryOf !== null && <span className={classes.mark}>Retry</span>}
        {retriedBy !== null && <span className={classes.mark}>Retried</span>}
      </span>
      <RunRemark run={run} />
    </span>
  ),
};

const ID: Column<RunInListFragment> = {
  ...WHAT,
  cell: ({ id, isTest, retryOf, retriedBy, ...run }) => (
    <span className={classes.run}>
      <span className={classes.name}>
        <code>…{id.slice(-8)}</code>
        {isTest && <span className={classes.mark}>Test</span>}
        {retryOf !== null && <span className={classes.mark}>Retry</span>}
        {retriedBy !== null && <span className={classes.mark}>Retried</span>}
      </span>
      <RunRemark run={run} />
    </span>
  ),
};

const REST: readonly Column<RunInListFragment>[] = [
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '140px' },
  { header: 'Trigger', cell: (run) => <TriggerWord run={run} />, width: '130px', narrow: false },
  { header: 'Took', cell: (run) => <RunDuration run={run} />, width: '124px', align: 'right', narrow: false },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: '120px', phone: false },
];

/** The columns of a list of runs; within one workflow a run is shown by the end of its id. */
export function runColumns({ ofOneWorkflow }: { ofOneWorkflow: boolean }): readonly Column<RunInListFragment>[] {
  return [ofOneWorkflow ? ID : WHAT, ...REST];
}

/** The second line: on a phone the creation time, and the reason of the status where it needs words. */
function RunRemark({ run }: { run: WhyOfRun & Pick<RunInListFragment, 'createdAt'> }) {
  return (
    <span className={classes.remark}>
      <span className={classes.onPhone}>
        <RelativeTime at={run.createdAt} />
        {(run.statusReason ?? run.error ?? run.resumesAt) !== null && ' · '}
      </span>
      <Why {...run} />
    </span>
  );
}

type WhyOfRun = Pick<RunInListFragment, 'statusReason' | 'error' | 'resumesAt' | 'failingStep'>;

function Why({ statusReason, error, resumesAt, failingStep }: WhyOfRun) {
  if (statusReason !== null) return <>{runReason(statusReason)}</>;
  if (error !== null) return <>{error.message}</>;
  if (resumesAt === null) return null;
  const attempt = failedAttempt({ failingStep });
  if (attempt === undefined)
    return (
      <>
        Waiting until <ExactTime at={resumesAt} />
      </>
    );
  return (
    <>
      {attempt}: {failingStep!.error!.message} It is tried again at <ExactTime at={resumesAt} />
    </>
  );
}

const TEST_RUN = { label: 'Test run', icon: IconFlask };

function TriggerWord({ run: { triggerType, triggerId, isTest } }: { run: RunInListFragment }) {
  const { label, icon: Icon } = isTest && triggerId === null ? TEST_RUN : TRIGGER_TYPES[triggerType];
  return (
    <span className={classes.trigger}>
      <Icon size={15} stroke={1.7} aria-hidden />
      {label}
    </span>
  );
}
