import { useQuery } from 'urql';
import { ExactTime } from '../../ui/values/exact-time.js';
import { type RunInDetailFragment, RunInputDocument } from '../run.generated.js';

/** The ticks of a schedule that a `missed` run represents. */
export function MissedTimes({ run: { id, statusReason } }: { run: RunInDetailFragment }) {
  const isMissed = statusReason === 'missed';
  const [{ data }] = useQuery({
    query: RunInputDocument,
    variables: { id },
    requestPolicy: 'cache-first',
    pause: !isMissed,
  });
  const { missed, first, last } = (data?.run.input ?? {}) as { missed?: unknown; first?: unknown; last?: unknown };
  if (!isMissed || typeof first !== 'string' || typeof last !== 'string') return null;
  if (missed === 1 || typeof missed !== 'number')
    return (
      <>
        It was <ExactTime at={first} />.
      </>
    );
  return (
    <>
      This stands for {missed.toLocaleString('en')} times between <ExactTime at={first} /> and <ExactTime at={last} />.
    </>
  );
}
