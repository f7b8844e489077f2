import { Notice } from '../../ui/pages/notice.js';
import { decisionInWords, isDecision } from '../../waits/decision/decided.js';
import { ErrorState } from '../../ui/pages/error-state.js';
import { ConditionResult } from './condition-result.js';
import { type ConditionOutput } from './condition-words.js';
import { StepConnection } from './step-connection.js';
import { StepPart } from './step-part.js';
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
      {kind === 'WAIT_FOR_APPROVAL' && isDecision(output) && (
        <Notice tone={output.decision === 'approved' ? 'good' : 'warn'}>{decisionInWords(output)}</Notice>
      )}
      {kind === 'APP_REQUEST' && isAppRequest(input) && <StepConnection id={input.integration_id} path={input.path} />}
      <StepPart label="Input" of={name} value={input} missing="Its placeholders could not be filled in." />
      {(status === 'SUCCEEDED' || output != null) && (
        <StepPart label="Output" of={name} value={output} missing="None." />
      )}
    </>
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCondition(output: unknown): output is ConditionOutput {
  return isObject(output) && typeof output.holds === 'boolean';
}

function isAppRequest(input: unknown): input is { integration_id: string; path: string } {
  return isObject(input) && typeof input.integration_id === 'string' && typeof input.path === 'string';
}
