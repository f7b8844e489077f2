import { Link } from 'react-router';
import { ExactTime } from '../../ui/values/exact-time.js';
import { Notice } from '../../ui/pages/notice.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { type RunInDetailFragment } from '../run.generated.js';
import { StepValues } from './step-values.js';
import { StepWait } from './step-wait.js';
import classes from './step-timeline.module.css';
import { type RunStep, statusOf } from './timeline.js';

/** Input, output and error of a step. */
export function StepDetail({ run, step, carriedOver, resumesAt }: StepDetailProps) {
  const { kind, attempt, error, startedAt, finishedAt } = step;
  return (
    <>
      {error !== null && (
        <Notice tone={statusOf(step) === 'FAILED' ? 'bad' : 'warn'} title={errorTitle(step)}>
          {error.message}
        </Notice>
      )}
      {resumesAt !== null && (
        <Notice tone="busy" title="Waiting">
          {kind === 'DELAY' ? 'It continues' : 'It is tried again'} <RelativeTime at={resumesAt} /> (
          <ExactTime at={resumesAt} />
          ).
        </Notice>
      )}
      {(kind === 'WAIT_FOR_APPROVAL' || step.status === 'WAITING') && <StepWait run={run} step={step} />}
      {carriedOver && <Notice tone="busy">It succeeded in the original run and was not executed again.</Notice>}
      <p className={classes.times}>
        {startedAt !== null && (
          <>
            Started <ExactTime at={startedAt} />
          </>
        )}
        {finishedAt !== null && (
          <>
            , ended <ExactTime at={finishedAt} />
          </>
        )}
        {attempt > 1 && `, ${attempt} attempts`}
      </p>
      {statusOf(step) === 'FAILED' && run.workflow !== null && (
        <p className={classes.edit}>
          <Link to={`/workflows/${run.workflow.id}/actions?action=${encodeURIComponent(step.name)}`}>
            Edit the action
          </Link>
        </p>
      )}
      <StepValues runId={run.id} step={step} />
    </>
  );
}

function errorTitle({ status, error, attempt }: RunStep): string {
  if (status === 'RUNNING') return `Attempt ${attempt} failed`;
  return error?.code === 'canceled' ? 'Canceled' : `Failed: ${error?.code.replaceAll('_', ' ')}`;
}

/** `resumesAt`: when a waiting step continues. */
export interface StepDetailProps {
  run: RunInDetailFragment;
  step: RunStep;
  carriedOver: boolean;
  resumesAt: string | null;
}
