import { type NodeSource } from './graphql/nodes.js';
import { type PeriodicJob } from './jobs/periodic.js';

/**
 * A number that is read at each scrape; with a `label`, one number for each label value. A name in `_total` only grows.
 */
export interface MetricSource {
  help: string;
  /**
   * How the numbers of several processes on a machine become one. `sum` is the default; `kept`: the sum, with those of ended
   * processes, as counters have it; `shared`: each process reads the same number, so one of them does.
   */
  over?: 'sum' | 'kept' | 'shared';
  label?: string;
  read(): number | Record<string, number> | Promise<number | Record<string, number>>;
}

/** Metric sources by their names at `/metrics`. */
export type MetricSources = Readonly<Record<string, MetricSource>>;

/** A background process with a start and a stop. A second `stop` waits for the same end. */
export interface Worker {
  start(): void;
  stop(): Promise<void>;
}

/**
 * The parts that the `wire.ts` of a feature gives to the process, beside those that other features need. Nothing is
 * started yet.
 */
export interface Feature {
  /** Resolvers of the schema. */
  resolvers?: readonly object[];
  /** The objects that `node` returns by their ids. */
  nodes?: readonly NodeSource[];
  /** Run in processes of the worker role. */
  jobs?: readonly PeriodicJob[];
  /** Started in processes of the worker role. */
  workers?: readonly Worker[];
  metrics?: MetricSources;
  /** Stops work that every process does, after the last request and after all workers have stopped. */
  stop?(): unknown;
}

/** Combines features. `stop` stops them one after another, dependents first. */
export function gather(features: readonly Feature[]): Required<Feature> {
  return {
    resolvers: features.flatMap(({ resolvers = [] }) => resolvers),
    nodes: features.flatMap(({ nodes = [] }) => nodes),
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    workers: features.flatMap(({ workers = [] }) => workers),
    metrics: Object.assign({}, ...features.map(({ metrics }) => metrics)) as MetricSources,
    stop: async () => {
      for (const feature of features.toReversed()) await feature.stop?.();
    },
  };
}
