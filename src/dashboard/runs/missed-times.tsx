import { ExactTime } from '../ui/exact-time.js';
import { type RunInDetailFragment } from './run.generated.js';

/** Which ticks of a schedule a `missed` run stands for. */
export function MissedTimes({ run: { statusReason, input } }: { run: RunInDetailFragment }) {
  const { missed, first, last } = (input ?? {}) as { missed?: unknown; first?: unknown; last?: unknown };
  if (statusReason !== 'missed' || typeof first !== 'string' || typeof last !== 'string') return null;
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
