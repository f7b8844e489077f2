import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** A metric of one process at one time. Structured, so that it travels between processes. */
export interface MetricSnapshot extends MetricObjectWithValues<MetricValue<string>> {
  /** The sum includes processes that have ended. */
  isKept?: boolean;
}

/** The topics by which processes exchange metrics. */
export const METRICS = { push: 'metrics', own: 'own metrics', all: 'all metrics' } as const;

/**
 * How the default metrics of the library become those of the machine, where its own choice hides something: the slowest event loop
 * among others, and the start.
 */
const AGGREGATORS: Readonly<Record<string, MetricSnapshot['aggregator']>> = {
  process_start_time_seconds: 'min',
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
};

/** Reads the metrics of this process that `wants` names. `kept` names gauges whose sum includes ended processes. */
export async function snapshot(
  registry: Registry,
  wants: (name: string) => boolean = () => true,
  kept: ReadonlySet<string> = new Set(),
): Promise<MetricSnapshot[]> {
  const metrics = registry.getMetricsAsArray().filter(({ name }) => wants(name));
  return Promise.all(
    metrics.map(async ({ name }) => {
      const read = await registry.getSingleMetric(name)!.get();
      // The types of the library leave the type of a metric to be one of an enumeration that it does not export.
      const type = String(read.type);
      const isKept = type === 'counter' || type === 'histogram' || kept.has(name);
      return { ...read, aggregator: AGGREGATORS[name] ?? read.aggregator, isKept };
    }),
  );
}

/** The metrics of several processes as those of one. */
export function combined(processes: readonly MetricSnapshot[][]): Registry {
  return AggregatorRegistry.aggregate([...processes]);
}
