import { type PeriodicJob } from './jobs/periodic.js';

/** A number that is asked for at each look; with a `label`, one for each of its words. A name in `_total` only grows. */
export interface MetricSource {
  help: string;
  label?: string;
  read(): number | Record<string, number> | Promise<number | Record<string, number>>;
}

/** MetricSources by the names that they have at `/metrics`. */
export type MetricSources = Readonly<Record<string, MetricSource>>;

/** What works by itself from its start to its stop. Who stops it again waits for the same end. */
export interface Worker {
  start(): void;
  stop(): Promise<void>;
}

/** What the `wire.ts` of a feature gives to the process, beside what other features need of it. Nothing of it runs yet. */
export interface Feature {
  /** What the schema is built over. */
  resolvers?: readonly object[];
  /** Turned in processes of the worker role. */
  jobs?: readonly PeriodicJob[];
  /** Started in processes of the worker role. */
  workers?: readonly Worker[];
  metrics?: MetricSources;
  /** Ends what goes on in every process, once nobody asks any more and no worker works. */
  stop?(): unknown;
}

/** Features as one, which stops them one after the other: those that stand on others first. */
export function gather(features: readonly Feature[]): Required<Feature> {
  return {
    resolvers: features.flatMap(({ resolvers = [] }) => resolvers),
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    workers: features.flatMap(({ workers = [] }) => workers),
    metrics: Object.assign({}, ...features.map(({ metrics }) => metrics)) as MetricSources,
    stop: async () => {
      for (const feature of features.toReversed()) await feature.stop?.();
    },
  };
}
