import { useEffect } from 'react';
import { useQuery, useSubscription } from 'urql';
import { TestedRunChangesDocument, TestedRunDocument, type TestedRunFragment } from './test-run.generated.js';

const EVERY = 1_000;
const OVER: readonly string[] = ['SUCCEEDED', 'FAILED', 'CANCELED', 'SKIPPED'];

/** True when nothing more happens to a run. */
export function isOver(status: string | undefined): boolean {
  return OVER.includes(status ?? '');
}

/** A run as it goes on: its begin and end are told by the service, the steps between are asked for. */
export function useTestedRun(id: string | undefined): TestedRunFragment | undefined {
  const pause = id === undefined;
  const variables = { id: id ?? '' };
  const [{ data }, reload] = useQuery({ query: TestedRunDocument, variables, pause });
  useSubscription({ query: TestedRunChangesDocument, variables, pause });
  const run = data?.run.id === id ? data?.run : undefined;
  const over = isOver(run?.status);
  useEffect(() => {
    if (pause || over) return;
    const timer = setInterval(() => reload({ requestPolicy: 'network-only' }), EVERY);
    return () => clearInterval(timer);
  }, [pause, over, reload]);
  return run;
}
