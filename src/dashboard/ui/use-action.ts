import { useCallback, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation } from 'urql';
import { notifyFault } from './notify.js';
import { faultOf, type RequestFault } from '../graphql/request-fault.js';

/** A mutation that a person sets off. */
export interface Action<Data, Variables extends AnyVariables> {
  /** Gives the data, or undefined when it failed; a failure is told, by a toast unless it names fields of a form. */
  run: (variables: Variables) => Promise<Data | undefined>;
  running: boolean;
  /** Of the last run. */
  fault: RequestFault | undefined;
  /** Forgets the last fault, e.g. when a form is opened anew. */
  reset: () => void;
}

/** One mutation with its state; where a form shows its fields' faults, pass `inForm` and show `fault` there. */
export function useAction<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { inForm = false }: { inForm?: boolean } = {},
): Action<Data, Variables> {
  const [{ fetching }, execute] = useMutation<Data, Variables>(document);
  const [fault, setFault] = useState<RequestFault>();
  const run = useCallback(
    async (variables: Variables) => {
      setFault(undefined);
      const { data, error } = await execute(variables);
      if (error === undefined) return data;
      const failed = faultOf(error);
      setFault(failed);
      if (!inForm) notifyFault(failed);
      return undefined;
    },
    [execute, inForm],
  );
  const reset = useCallback(() => setFault(undefined), []);
  return { run, running: fetching, fault, reset };
}
