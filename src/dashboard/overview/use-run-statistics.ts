import { useState } from 'react';
import { type CombinedError, useQuery } from 'urql';
import { faultOf } from '../graphql/request-fault.js';
import { useRunChanges } from '../runs/use-run-changes.js';
import { useSoon } from '../ui/use-soon.js';
import { RunsOverTimeDocument, type RunsOverTimeQuery } from './overview.generated.js';
import { timeZone, useBeginOf } from '../ui/period.js';
import { type Range, RANGES } from './ranges.js';

/** The runs of a range by hours or days. */
export type Statistics = RunsOverTimeQuery['runStatistics'];

/** The statistics of a range. */
export interface RunStatistics {
  data: Statistics | undefined;
  error: CombinedError | undefined;
  fetching: boolean;
  reload: () => void;
  /** The shown range: shorter where the chosen one has too many runs; undefined where every range has. */
  range: Range | undefined;
}

/** The run statistics of a range, fetched again as runs begin and end; less often for ranges with many runs. */
export function useRunStatistics(asked: Range): RunStatistics {
  const [refused, refuse] = useState<readonly string[]>([]);
  const shorter = RANGES.slice(0, RANGES.indexOf(asked) + 1).reverse();
  const range = shorter.find(({ value }) => !refused.includes(value));
  const { bucket } = range ?? asked;
  const from = useBeginOf(range ?? asked);
  const variables = { from, bucket, timezone: timeZone() };
  const pause = range === undefined;
  const [{ data, error, fetching, operation }, ask] = useQuery({ query: RunsOverTimeDocument, variables, pause });
  const isAnswer = operation?.variables.from === from && operation.variables.bucket === bucket;
  if (range !== undefined && isAnswer && error !== undefined && isTooMany(error)) refuse([...refused, range.value]);
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  const soon = useSoon(() => pause || reload(), pauseFor(data?.runStatistics.sum.total ?? 0));
  useRunChanges(undefined, soon);
  return { data: pause ? undefined : data?.runStatistics, error, fetching, reload, range };
}

/** The service counts at most 1,000,000 runs, and reports an excess as a fault of `from`. */
function isTooMany(error: CombinedError): boolean {
  const { code, fields } = faultOf(error);
  return code === 'VALIDATION_ERROR' && fields.from !== undefined;
}

/** One second, plus about one for each 20,000 runs, because counting takes the database a microsecond per run. */
function pauseFor(runs: number): number {
  return 1_000 + Math.round(runs / 20_000) * 1_000;
}
