import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { isFinished } from '../../runs/run-states.js';
import { type SourceRun } from './suggestions.js';
import { SourceRunDocument, SourceRunsDocument, type SourceRunsQuery } from './values.generated.js';

/** The past run that values are offered from: the newest that has ended, until another is chosen. */
export interface Source {
  runs: SourceRunsQuery['runs']['items'] | undefined;
  chosen: string | undefined;
  /** Choosing the same run again fetches it again. */
  choose: (id: string) => void;
  /** With input and outputs; undefined until it has come, and where there is none. */
  run: SourceRun | undefined;
}

/** Asks for the workflow's last runs, and for all of the chosen one. */
export function useSourceRun(workflowId: string): Source {
  const [{ data: list }] = useQuery({ query: SourceRunsDocument, variables: { workflowId } });
  const [picked, pick] = useState<string>();
  const runs = list?.runs.items;
  const chosen = picked ?? runs?.find(({ status }) => isFinished(status))?.id;
  const [{ data }, ask] = useQuery({
    query: SourceRunDocument,
    variables: { id: chosen ?? '' },
    pause: chosen === undefined,
  });
  const run = useMemo(() => (data?.run.id === chosen ? data?.run : undefined), [data, chosen]);
  const choose = (id: string): void => (id === chosen ? ask({ requestPolicy: 'network-only' }) : pick(id));
  return { runs, chosen, choose, run };
}
