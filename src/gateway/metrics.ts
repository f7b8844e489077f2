import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the service counts, in Prometheus' text format at `/metrics`. One registry per server. */
export class Metrics {
  readonly registry = new Registry();

  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['door', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  /** Inbound hooks that were refused for a missing or wrong signature; nothing else is kept of them. */
  readonly hookSignatureFailures = new Counter({
    name: 'hook_signature_failures_total',
    help: 'Inbound hooks with a missing or wrong signature.',
    registers: [this.registry],
  });

  constructor(gauges: Readonly<Record<string, { help: string; read: () => number }>>) {
    collectDefaultMetrics({ register: this.registry });
    for (const [name, { help, read }] of Object.entries(gauges)) {
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(read());
        },
      });
    }
  }

  observe(door: string, operation: string, status: number, seconds: number): void {
    this.durations.labels(door, operation, String(status)).observe(seconds);
  }
}
