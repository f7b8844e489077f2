import { VisuallyHidden } from '@mantine/core';
import { useQuery, useSubscription } from 'urql';
import { useSoon } from '../ui/use-soon.js';
import { useFirstChange } from '../ui/use-first-change.js';
import { WaitingCountChangesDocument, WaitingCountDocument } from './waiting-count.generated.js';
import classes from './waiting-count.module.css';

/** From here on the exact number says nothing more. */
const MOST = 999;

/** The number of pending waits of the account, live; nothing while there are none. */
export function WaitingCount() {
  const [{ data }, execute] = useQuery({ query: WaitingCountDocument });
  const { totalCount = 0, latestChange } = data?.waitConnection ?? {};
  const after = useFirstChange(latestChange);
  const soon = useSoon(() => execute({ requestPolicy: 'network-only' }), 500);
  useSubscription(
    { query: WaitingCountChangesDocument, variables: { after }, pause: after === undefined },
    (_before, change) => {
      soon();
      return change;
    },
  );
  if (totalCount === 0) return null;
  return (
    <span className={classes.count}>
      {totalCount > MOST ? `${MOST}+` : totalCount}
      <VisuallyHidden> pending</VisuallyHidden>
    </span>
  );
}
