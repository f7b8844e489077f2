import { Skeleton } from '@mantine/core';
import { ErrorState } from '../../ui/pages/error-state.js';
import { JsonView } from '../../ui/values/json-view.js';
import { ConditionResult } from './condition-result.js';
import { type ConditionOutput } from './condition-words.js';
import classes from './step-timeline.module.css';
import { type RunStep } from './timeline.js';
import { useStepValues } from './use-step-values.js';

/** Input and output of a step: large, so fetched only when the step is expanded. */
export function StepValues({ runId, step }: { runId: string; step: RunStep }) {
  const { name, kind, status } = step;
  const { input, output, error, retry } = useStepValues(runId, step);
  if (error !== undefined) return <ErrorState error={error} onRetry={retry} />;
  return (
    <>
      {kind === 'CONDITION' && isCondition(output) && (
        <ConditionResult operator={isObject(input) ? input.operator : undefined} output={output} />
      )}
      <Part label="Input" of={name} value={input} missing="It could not be filled in." />
      {(status === 'SUCCEEDED' || output != null) && <Part label="Output" of={name} value={output} missing="None." />}
    </>
  );
}

function Part({ label, of, value, missing }: { label: string; of: string; value: unknown; missing: string }) {
  return (
    <div className={classes.part}>
      <p className={classes.label}>
        {label}
        {isObject(value) && value.truncated === true && <span>shortened: it was too long to store</span>}
      </p>
      {value === undefined && <Skeleton height={92} radius="sm" aria-hidden />}
      {value === null && <p className={classes.missing}>{missing}</p>}
      {value !== undefined && value !== null && <JsonView value={value} label={`${label} of ${of}`} />}
    </div>
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCondition(output: unknown): output is ConditionOutput {
  return isObject(output) && typeof output.holds === 'boolean';
}
