import { type StepStatus } from '../../graphql/enums.generated.js';
import { useNow } from '../../ui/values/use-now.js';
import { type RunInDetailFragment } from '../run.generated.js';
import { isFinished } from '../run-states.js';
import { LaterRow } from './later-row.js';
import { StepRow } from './step-row.js';
import classes from './step-timeline.module.css';
import { isCarriedOver, spansOf } from './timeline.js';
import { useLaterActions } from './use-later-actions.js';

/** Steps in these statuses open automatically: a failure explains itself, and a wait can be ended. */
const OPEN: readonly StepStatus[] = ['FAILED', 'WAITING'];

/** The steps in order, each with a bar on the run's time axis; bars of active steps grow. */
export function StepTimeline({ run }: { run: RunInDetailFragment }) {
  const over = isFinished(run.status);
  const now = useNow(run.startedAt !== null && !over, 250);
  const spans = spansOf(run, now);
  const later = useLaterActions(run);
  if (run.steps.length === 0) return <p className={classes.none}>{nothingYet(run)}</p>;
  return (
    <ol className={classes.timeline} aria-label="Steps">
      {run.steps.map((step, place) => (
        <StepRow
          key={`${run.id} ${step.index}`}
          run={run}
          step={step}
          span={spans[place]!}
          carriedOver={run.retryOf !== null && isCarriedOver(step, run)}
          resumesAt={step.status === 'RUNNING' ? run.resumesAt : null}
          // Otherwise the first of several steps would close again when the second begins.
          opensByItself={OPEN.includes(step.status) || (over && run.steps.length === 1)}
        />
      ))}
      {later.map(({ name, kind }) => (
        <LaterRow key={name} name={name} kind={kind} />
      ))}
    </ol>
  );
}

function nothingYet({ status }: RunInDetailFragment): string {
  if (status === 'QUEUED') return 'The run has not started yet. Its steps appear here as they are executed.';
  if (status === 'RUNNING' || status === 'WAITING') return 'It has just started.';
  if (status === 'SKIPPED') return 'No step was executed.';
  return status === 'SUCCEEDED' ? 'The workflow had no actions: there was nothing to do.' : 'No step was executed.';
}
