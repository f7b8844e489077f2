import { useEffect, useEffectEvent } from 'react';
import { type CombinedError, useQuery, useSubscription } from 'urql';
import { isOver } from './run-states.js';
import { ChangesOfRunDocument, RunDocument, type RunInDetailFragment } from './run.generated.js';

/** While steps follow each other, and while the run waits. */
const EVERY = 1_000;
const EVERY_WAITING = 5_000;

/** A run as it goes on: its begin and end are told by the service, the steps between are asked for until it has ended. */
export function useLiveRun(id: string): LiveRun {
  const [{ data, error, fetching, stale }, execute] = useQuery({ query: RunDocument, variables: { id } });
  const run = data?.run.id === id ? data.run : undefined;
  const isMoving = run !== undefined && !isOver(run.status);
  useSubscription({ query: ChangesOfRunDocument, variables: { id }, pause: !isMoving });
  const isWaiting = run !== undefined && run.resumesAt !== null;
  // One question at a time: the answer of a large run may take longer than the pause, and an older one must not win.
  const look = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && !fetching && !stale) execute({ requestPolicy: 'network-only' });
  });
  useEffect(() => {
    if (!isMoving) return;
    const ask = (): void => look();
    const timer = setInterval(ask, isWaiting ? EVERY_WAITING : EVERY);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [isMoving, isWaiting]);
  return { run, error: run === undefined ? error : undefined, fetching, reload: execute };
}

/** `run` is undefined until the first answer. */
export interface LiveRun {
  run: RunInDetailFragment | undefined;
  error: CombinedError | undefined;
  fetching: boolean;
  reload: (options?: { requestPolicy: 'network-only' }) => void;
}
