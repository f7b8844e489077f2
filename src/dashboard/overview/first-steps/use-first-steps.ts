import { createContext, use, useEffect, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../../graphql/integration-changes.generated.js';
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

const BeginnersContext = createContext<BeginnersView | undefined>(undefined);

/** Gives the first steps to the frame and the overview, which show the same progress. */
export const FirstStepsProvider = BeginnersContext.Provider;

/** The first steps; on every page inside the shell. */
export function useFirstSteps(): BeginnersView {
  const view = use(BeginnersContext);
  if (view === undefined) throw new Error('Only pages inside the shell know the first steps.');
  return view;
}

/**
 * The progress of the first steps: live for runs and connections; other steps tick when the cache hears of them, and when
 * the user returns to the window.
 */
export function useProgress(): BeginnersView {
  const { account } = useViewer();
  const name = `first-steps-over:${account.id}`;
  const [hidden, setHidden] = useState(() => localStorage.getItem(name) !== null);
  const [{ data, error }, ask] = useQuery({ query: FirstStepsDocument, pause: hidden });
  const steps = data === undefined || hidden ? undefined : firstSteps(data);
  const unfinished = steps?.some(({ done, optional }) => !done && !optional);
  const soon = useSoon(() => hidden || unfinished === false || ask({ requestPolicy: 'network-only' }), 300);
  useRunChanges(undefined, ({ run }) => isFinished(run.status) && soon(), { pause: unfinished !== true });
  useSubscription({ query: IntegrationChangesDocument, pause: unfinished !== true }, (_, change) => {
    soon();
    return change;
  });
  useOnReturn(soon);
  // Keep the list until the user has seen the last tick.
  const [begun, setBegun] = useState(false);
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
