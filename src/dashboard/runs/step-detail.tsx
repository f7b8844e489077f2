import { ExactTime } from '../ui/exact-time.js';
import { JsonView } from '../ui/json-view.js';
import { Notice } from '../ui/notice.js';
import { RelativeTime } from '../ui/relative-time.js';
import classes from './step-timeline.module.css';
import { type RunStep } from './timeline.js';

/** What went into a step, what came out, and what went wrong. */
export function StepDetail({ step, carriedOver, resumesAt }: StepDetailProps) {
  const { name, kind, status, attempt, error, input, output, startedAt, finishedAt } = step;
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
      {kind === 'CONDITION' && isObject(output) && output.holds === false && (
        <Notice tone="busy">The condition did not hold, so the run ended here. That counts as a success.</Notice>
      )}
      {carriedOver && (
        <Notice tone="busy">It succeeded in the run that this one repeats, and was not carried out again.</Notice>
      )}
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
      <Part label="Input" of={name} value={input} missing="It could not be filled in." />
      {(output !== null || status === 'SUCCEEDED') && <Part label="Output" of={name} value={output} missing="None." />}
    </>
  );
}

function errorTitle({ status, error, attempt }: RunStep): string {
  if (status === 'RUNNING') return `Attempt ${attempt} failed`;
  return error?.code === 'canceled' ? 'Canceled' : `Failed: ${error?.code.replaceAll('_', ' ')}`;
}

function Part({ label, of, value, missing }: { label: string; of: string; value: unknown; missing: string }) {
  return (
    <div className={classes.part}>
      <p className={classes.label}>
        {label}
        {isObject(value) && value.truncated === true && <span>cut: it was too long to be kept whole</span>}
      </p>
      {value === null ? (
        <p className={classes.missing}>{missing}</p>
      ) : (
        <JsonView value={value} label={`${label} of ${of}`} />
      )}
    </div>
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `resumesAt` is when a step that waits goes on. */
export interface StepDetailProps {
  step: RunStep;
  carriedOver: boolean;
  resumesAt: string | null;
}
