import { useEffect, useEffectEvent, useRef } from 'react';
import { type CombinedError, useQuery, useSubscription } from 'urql';
import { serviceNow } from '../graphql/service-clock.js';
import { isFinished } from './run-states.js';
import { ChangesOfRunDocument, RunDocument, type RunInDetailFragment } from './run.generated.js';

/** Poll interval in milliseconds: while steps follow each other, and the maximum while the run is queued or waits. */
const SOON = 1_000;
const LATEST = 15_000;

/**
 * A live run: the service reports its start and end, and its steps are polled until it has ended, without input and
 * output. Polling pauses while the page is hidden.
 */
export function useLiveRun(id: string): LiveRun {
  const [{ data, error, fetching }, execute] = useQuery({ query: RunDocument, variables: { id } });
  const run = data?.run.id === id ? data.run : undefined;
  const isMoving = run !== undefined && !isFinished(run.status);
  useSubscription({ query: ChangesOfRunDocument, variables: { id }, pause: !isMoving });
  // One request at a time: a response may take longer than the pause, and an older one must not win. A stale run is
  // fetched all the same: the cache marks a run as stale when another query wrote parts of it.
  const look = useEffectEvent(() => {
    if (document.visibilityState === 'visible' && !fetching) execute({ requestPolicy: 'network-only' });
  });
  const { status, resumesAt = null } = run ?? {};
  useEffect(() => {
    if (!isMoving) return;
    const ask = (): void => {
      look();
      waitOn();
    };
    let timer = 0;
    const waitOn = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(ask, status === 'RUNNING' ? untilNews(resumesAt) : LATEST);
    };
    waitOn();
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [isMoving, status, resumesAt]);
  useLastLook(isMoving, () => execute({ requestPolicy: 'network-only' }));
  return { run, error: run === undefined ? error : undefined, fetching, reload: execute };
}

/** Another query on the page may have reported the end first, without the steps. */
function useLastLook(isMoving: boolean, look: () => void): void {
  const last = useEffectEvent(look);
  const hasMoved = useRef(false);
  useEffect(() => {
    if (hasMoved.current && !isMoving) last();
    hasMoved.current = isMoving;
  }, [isMoving]);
}

/** Until a step may have begun or ended; the clocks of service and browser may differ by a little. */
function untilNews(resumesAt: string | null): number {
  if (resumesAt === null) return SOON;
  return Math.min(LATEST, Math.max(SOON, new Date(resumesAt).getTime() - serviceNow()));
}

/** `run` is undefined until the first response. */
export interface LiveRun {
  run: RunInDetailFragment | undefined;
  error: CombinedError | undefined;
  fetching: boolean;
  reload: (options?: { requestPolicy: 'network-only' }) => void;
}
