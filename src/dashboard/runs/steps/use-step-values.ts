import { useEffect } from 'react';
import { type CombinedError, useQuery } from 'urql';
import { StepValuesDocument } from '../run.generated.js';
import { type RunStep } from './timeline.js';

/** The input and output of a step; undefined until loaded. */
export interface LoadedValues {
  input: unknown;
  output: unknown;
  error: CombinedError | undefined;
  retry: () => void;
}

/** Fetches the values of one step: once after its end; for an active step again at each attempt and at its end. */
export function useStepValues(runId: string, { index, status, attempt }: RunStep): LoadedValues {
  const [{ data, error }, execute] = useQuery({
    query: StepValuesDocument,
    variables: { id: runId, index },
    requestPolicy: 'cache-first',
  });
  const values = data?.run.steps[0];
  const isOld = data != null && (values?.status !== status || values.attempt !== attempt);
  useEffect(() => {
    if (isOld) execute({ requestPolicy: 'network-only' });
  }, [isOld, status, attempt, execute]);
  return {
    // The input is set before the first attempt.
    input: values?.input,
    output: isOld ? undefined : values?.output,
    error: isOld || values === undefined ? error : undefined,
    retry: () => execute({ requestPolicy: 'network-only' }),
  };
}
