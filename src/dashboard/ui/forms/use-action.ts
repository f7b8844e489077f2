import { useCallback, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useClient } from 'urql';
import { notifyFault } from '../pages/notify.js';
import { faultOf, type RequestFault } from '../../graphql/request-fault.js';
import { useIsShown } from './use-is-shown.js';

/** A mutation that a user triggers. */
export interface Action<Data, Variables extends AnyVariables> {
  /** Returns the data, or undefined after a failure; a failure shows a toast unless it names fields of a form. */
  run: (variables: Variables) => Promise<Data | undefined>;
  running: boolean;
  /** The failure of the last run. */
  fault: RequestFault | undefined;
  /** Clears the last error, e.g. when a form is opened again. */
  reset: () => void;
}

/**
 * One mutation with its state. A form that shows the faults of its fields passes `inForm` and renders `fault`. If the
 * form is closed before the response, a toast shows the failure instead. The response is not cached, because it may
 * contain a secret.
 */
export function useAction<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { inForm = false }: { inForm?: boolean } = {},
): Action<Data, Variables> {
  const client = useClient();
  const isShown = useIsShown();
  const [running, setRunning] = useState(0);
  const [fault, setFault] = useState<RequestFault>();
  const run = useCallback(
    async (variables: Variables) => {
      setFault(undefined);
      setRunning((before) => before + 1);
      const { data, error } = await client.mutation(document, variables).toPromise();
      setRunning((before) => before - 1);
      if (error === undefined) return data;
      const failed = faultOf(error);
      setFault(failed);
      if (!inForm || !isShown()) notifyFault(failed);
      return undefined;
    },
    [client, document, inForm, isShown],
  );
  const reset = useCallback(() => setFault(undefined), []);
  return { run, running: running > 0, fault, reset };
}
