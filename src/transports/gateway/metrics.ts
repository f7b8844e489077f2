import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricSource, type MetricSources } from '../../platform/feature.js';
import { type Channel } from '../../platform/processes/channel.js';
import { combined, METRICS, type MetricSnapshot, snapshot } from '../../platform/processes/machine-metrics.js';
import { addProcessMetrics } from '../../platform/processes/process-metrics.js';

/** How often a process reports its counters, in milliseconds: one that is killed loses what it counted since. */
const REPORT_MS = 1_000;

/** The service's counters and gauges, in Prometheus' text format at `/metrics`. One registry per server. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly shared: ReadonlySet<string>;
  private readonly kept: ReadonlySet<string>;
  /** Leads to the other processes of the machine. */
  private channel: Channel | undefined;

  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['door', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  /** Inbound hooks refused for a missing or wrong signature. Nothing else is recorded of them. */
  readonly hookSignatureFailures = new Counter({
    name: 'hook_signature_failures_total',
    help: 'Inbound hooks with a missing or wrong signature.',
    registers: [this.registry],
  });

  /** App events refused likewise; refused handshakes count too. */
  readonly eventSignatureFailures = new Counter({
    name: 'event_signature_failures_total',
    help: 'App events with a missing or wrong signature.',
    registers: [this.registry],
  });

  constructor(sources: MetricSources) {
    addProcessMetrics(this.registry);
    for (const [name, source] of Object.entries(sources)) this.add(name, source);
    this.shared = namesOf(sources, 'shared');
    this.kept = namesOf(sources, 'kept');
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** The metrics of the service on this machine. */
  async text(): Promise<string> {
    if (this.channel === undefined) return this.registry.metrics();
    const processes = await this.channel.ask<MetricSnapshot[][]>(METRICS.all, await this.own());
    const shared = await snapshot(this.registry, (name) => this.shared.has(name));
    return combined([...processes, shared]).metrics();
  }

  /** Exchanges metrics with the other processes of the machine. @returns the last report, to be sent before the end. */
  joinMachine(channel: Channel): () => Promise<void> {
    this.channel = channel;
    channel.on(METRICS.own, () => this.own());
    const report = async (): Promise<void> => channel.tell(METRICS.push, await this.own());
    // After one that fails, the next one has its numbers.
    const timer = setInterval(() => void report().catch(() => undefined), REPORT_MS).unref();
    return async () => {
      clearInterval(timer);
      await report();
    };
  }

  observe(door: string, operation: string, status: number, seconds: number): void {
    this.durations.labels(door, operation, String(status)).observe(seconds);
  }

  private own(): Promise<MetricSnapshot[]> {
    return snapshot(this.registry, (name) => !this.shared.has(name), this.kept);
  }

  private add(name: string, source: MetricSource): void {
    const { help, label } = source;
    const labelNames = label === undefined ? [] : [label];
    const collect = async (metric: Gauge | Counter): Promise<void> => {
      // A gauge that can't be read now, e.g. because the database is down, is left out of this response.
      const values = await Promise.resolve(source.read()).catch(() => ({}));
      metric.reset();
      if (typeof values === 'number') metric.inc(values);
      else for (const [word, value] of Object.entries(values)) metric.inc({ [label!]: word }, value);
    };
    const Kind = name.endsWith('_total') ? Counter : Gauge;
    new Kind({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        await collect(this);
      },
    });
  }
}

function namesOf(sources: MetricSources, over: MetricSource['over']): ReadonlySet<string> {
  return new Set(Object.keys(sources).filter((name) => sources[name]!.over === over));
}
