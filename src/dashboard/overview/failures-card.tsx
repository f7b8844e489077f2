import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useRunChanges } from '../runs/use-run-changes.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { useSoon } from '../ui/use-soon.js';
import { Card } from './card.js';
import classes from './card.module.css';
import { LatestFailuresDocument } from './overview.generated.js';
import { useBeginOf } from '../ui/period.js';
import { type Range } from './ranges.js';
import { runsAddress } from './totals.js';
import { IconCircleCheck } from '../ui/icons/icons.js';

/** The latest failed runs with reasons and links. */
export function FailuresCard({ range }: { range: Range }) {
  const createdAfter = useBeginOf(range);
  const [{ data, error }, ask] = useQuery({ query: LatestFailuresDocument, variables: { createdAfter } });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  const soon = useSoon(reload);
  useRunChanges(undefined, ({ status }) => (status === 'FAILED' ? soon() : undefined));
  // In the order of the times that the card shows; the service sorts by creation.
  const runs = data?.runs.items.toSorted((a, b) => endOf(b).localeCompare(endOf(a)));
  return (
    <Card
      title="Latest failures"
      area="failures"
      rows={runs}
      size={5}
      error={error}
      onRetry={reload}
      none={{ icon: IconCircleCheck, tone: 'good', text: `No run has failed in ${range.inWords}.` }}
      more={runs?.length ? { to: runsAddress(range, 'failed'), label: 'All failed runs' } : undefined}
    >
      {({ id, workflow, error: why, retriedBy, ...run }) => (
        <>
          <span className={classes.text}>
            <Link to={`/runs/${id}`} className={classes.link}>
              {workflow?.name ?? 'Deleted workflow'}
            </Link>
            <span>{why?.message ?? 'No reason given.'}</span>
          </span>
          <span className={classes.aside}>
            {retriedBy !== null && 'Retried · '}
            <RelativeTime at={endOf(run)} />
          </span>
        </>
      )}
    </Card>
  );
}

function endOf({ finishedAt, createdAt }: { finishedAt: string | null; createdAt: string }): string {
  return finishedAt ?? createdAt;
}
