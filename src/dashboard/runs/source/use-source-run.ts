import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { isFinished } from '../run-states.js';
import { writeJson } from '../../ui/json/json-text.js';
import { SourceRunDocument, SourceRunsDocument, type SourceRunsQuery } from './source-run.generated.js';

/** The parts of a past run that supply values. */
export interface SourceRun {
  id: string;
  input: unknown;
  /** Null unless a request to an inbound hook fired the run. */
  triggerHeaders?: unknown;
  triggerQuery?: unknown;
  triggerId: string | null;
  triggerType: string;
  steps: readonly { name: string; output: unknown }[];
}

/** The past run that supplies sample values: the newest ended one, unless the user chooses another. */
export interface Source {
  runs: SourceRunsQuery['runs']['items'] | undefined;
  chosen: string | undefined;
  /** Choosing the same run again fetches it again. */
  choose: (id: string) => void;
  /** The run with input and outputs; undefined until it is loaded, or if there is none. */
  run: SourceRun | undefined;
  /** The input of that run as JSON text, without one the sample; a new run starts with it. */
  input: string;
  /** Whether the run is still being looked for. */
  loading: boolean;
}

/** Queries the workflow's last runs, and the full data of the chosen one. `sample`: the input before the first run. */
export function useSourceRun(workflowId: string, sample: unknown = {}): Source {
  const [{ data: list, fetching: listing }] = useQuery({ query: SourceRunsDocument, variables: { workflowId } });
  const [picked, pick] = useState<string>();
  const runs = list?.runs.items;
  const chosen = picked ?? runs?.find(({ status }) => isFinished(status))?.id;
  const [{ data, fetching }, ask] = useQuery({
    query: SourceRunDocument,
    variables: { id: chosen ?? '' },
    pause: chosen === undefined,
  });
  const run = useMemo(() => (data?.run.id === chosen ? data?.run : undefined), [data, chosen]);
  const choose = (id: string): void => (id === chosen ? ask({ requestPolicy: 'network-only' }) : pick(id));
  const input = writeJson(run === undefined ? sample : run.input);
  return { runs, chosen, choose, run, input, loading: run === undefined && (listing || fetching) };
}
