import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { isFinished } from '../../runs/run-states.js';
import { useRunChanges } from '../../runs/use-run-changes.js';
import { useViewer } from '../../session/viewer.js';
import { useOnReturn } from '../../ui/use-on-return.js';
import { useSoon } from '../../ui/use-soon.js';
import { FirstStepsDocument } from './first-steps.generated.js';
import { type FirstStep, firstSteps } from './steps.js';

/** The first steps of a new account. */
export interface BeginnersView {
  /** No run of the account has ended yet, so the overview is empty. Undefined until that is known. */
  isNew: boolean | undefined;
  /** Undefined if they are not shown: not loaded yet, completed earlier, or hidden. */
  steps: readonly FirstStep[] | undefined;
  /** Hides them permanently in this browser. */
  hide: () => void;
}

/** The progress of the first steps: live for runs, otherwise updated when the user returns to the page. */
export function useFirstSteps(): BeginnersView {
  const { account } = useViewer();
  const name = `first-steps-over:${account.id}`;
  const [hidden, setHidden] = useState(() => localStorage.getItem(name) !== null);
  const [{ data, error }, ask] = useQuery({ query: FirstStepsDocument, pause: hidden });
  const soon = useSoon(() => hidden || ask({ requestPolicy: 'network-only' }), 300);
  useRunChanges(undefined, ({ run }) => isFinished(run.status) && soon());
  useOnReturn(soon);
  const steps = data === undefined || hidden ? undefined : firstSteps(data);
  // Keep the list until the user has seen the last tick.
  const [begun, setBegun] = useState(false);
  const unfinished = steps?.some(({ done, optional }) => !done && !optional);
  if (unfinished === true && !begun) setBegun(true);
  // From the next visit on the steps are not even queried.
  useEffect(() => {
    if (unfinished === false) localStorage.setItem(name, '1');
  }, [unfinished, name]);
  const hide = (): void => {
    localStorage.setItem(name, '1');
    setHidden(true);
  };
  const isKnown = hidden || error !== undefined || steps !== undefined;
  const isNew = steps?.some(({ key, done }) => key === 'run' && !done) ?? false;
  return { isNew: isKnown ? isNew : undefined, steps: begun ? steps : undefined, hide };
}
