import { useSubscription } from 'urql';
import { useSoon } from '../ui/use-soon.js';
import { useFirstChange } from '../ui/use-first-change.js';
import { type WaitChangesSubscriptionVariables, WaitChangesDocument } from './waits.generated.js';

type Wanted = Pick<WaitChangesSubscriptionVariables, 'kind' | 'runId'>;

/**
 * Calls `onChange` soon after changes of these waits that a list does not contain. `latest` is the latest change that the
 * list contained first; the subscription begins behind it, so that none in between is missed.
 */
export function useWaitChanges(
  wanted: Wanted,
  latest: string | null | undefined,
  onChange: () => void,
  { pause = false } = {},
): void {
  const after = useFirstChange(latest);
  const soon = useSoon(onChange, 300);
  useSubscription(
    { query: WaitChangesDocument, variables: { ...wanted, after }, pause: pause || after === undefined },
    (_before, change) => {
      soon();
      return change;
    },
  );
}
