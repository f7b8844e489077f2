import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';

let processMetrics: Registry | undefined;

/**
 * Adds the library's metrics of this process. They exist once: each set of them measures the event loop and the garbage
 * collector until the process ends, also after the service that made it has closed.
 */
export function addProcessMetrics(registry: Registry): void {
  if (processMetrics === undefined) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  for (const { name } of processMetrics.getMetricsAsArray())
    registry.registerMetric(processMetrics.getSingleMetric(name) as Metric);
}
