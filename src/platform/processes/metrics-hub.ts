import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { type Channel } from './channel.js';
import { combined, METRICS, type MetricSnapshot, snapshot } from './machine-metrics.js';
import { addProcessMetrics } from './process-metrics.js';

/** How long to wait for the metrics of a busy process, in milliseconds. Its last ones stand in for it. */
const PATIENCE_MS = 1_000;

/** Gathers the metrics of all processes in the primary one, and keeps the counters of those that have ended. */
export class MetricsHub {
  private readonly last = new Map<Channel, MetricSnapshot[]>();
  private ended: MetricSnapshot[] = [];
  private adding: Promise<void> = Promise.resolve();
  private readonly own = new Registry();

  constructor() {
    addProcessMetrics(this.own);
  }

  /** Connects a process, before its first message. */
  connect(channel: Channel): void {
    channel.on(METRICS.push, (metrics: MetricSnapshot[]) => void this.last.set(channel, metrics));
    channel.on(METRICS.all, async (metrics: MetricSnapshot[]) => {
      this.last.set(channel, metrics);
      const others = [...this.last.keys()].filter((each) => each !== channel);
      await Promise.all(others.map((each) => this.refresh(each)));
      return [...this.last.values(), this.ended, await snapshot(this.own)];
    });
  }

  /** Adds the last counters of a process that has ended to those of its predecessors. */
  remove(channel: Channel): void {
    this.adding = this.adding.then(async () => {
      const kept = this.last.get(channel)?.filter(({ isKept }) => isKept) ?? [];
      const sum = await combined([this.ended, kept]).getMetricsAsJSON();
      // At once, so that no counter is missing or doubled in between.
      this.ended = sum.map((metric) => ({ ...metric, isKept: true }));
      this.last.delete(channel);
    });
  }

  private async refresh(channel: Channel): Promise<void> {
    const asked = channel.ask<MetricSnapshot[]>(METRICS.own).then((metrics) => {
      if (this.last.has(channel)) this.last.set(channel, metrics);
    });
    await Promise.race([asked.catch(() => undefined), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
}
