import { ExactTime } from '../../ui/values/exact-time.js';
import { Notice } from '../../ui/pages/notice.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { StepValues } from './step-values.js';
import classes from './step-timeline.module.css';
import { type RunStep } from './timeline.js';

/** Input, output and error of a step. */
export function StepDetail({ runId, step, carriedOver, resumesAt }: StepDetailProps) {
  const { kind, status, attempt, error, startedAt, finishedAt } = step;
  return (
    <>
      {error !== null && (
        <Notice tone={status === 'RUNNING' ? 'warn' : 'bad'} title={errorTitle(step)}>
          {error.message}
        </Notice>
      )}
      {resumesAt !== null && (
        <Notice tone="busy" title="Waiting">
          {kind === 'DELAY' ? 'It goes on' : 'It is tried again'} <RelativeTime at={resumesAt} /> (
          <ExactTime at={resumesAt} />
          ).
        </Notice>
      )}
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
      <StepValues runId={runId} step={step} />
    </>
  );
}

function errorTitle({ status, error, attempt }: RunStep): string {
  if (status === 'RUNNING') return `Attempt ${attempt} failed`;
  return error?.code === 'canceled' ? 'Canceled' : `Failed: ${error?.code.replaceAll('_', ' ')}`;
}

/** `resumesAt`: when a waiting step continues. */
export interface StepDetailProps {
  runId: string;
  step: RunStep;
  carriedOver: boolean;
  resumesAt: string | null;
}
