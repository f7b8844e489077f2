import { type Statistics } from '../use-run-statistics.js';

/** The number of runs in each status. */
export type Counts = Statistics['sum'];

/** One colour of the chart: runs with the same result. */
export interface Series {
  key: 'succeeded' | 'failed' | 'canceled' | 'skipped' | 'underWay';
  label: string;
  /** The filter value in the URL of the list of runs; absent for a series of two statuses. */
  inRuns: string | undefined;
  count: (counts: Counts) => number;
}

/** From the bottom of a bar to its top. */
export const SERIES: readonly Series[] = [
  { key: 'succeeded', label: 'Succeeded', inRuns: 'succeeded', count: ({ succeeded }) => succeeded },
  { key: 'failed', label: 'Failed', inRuns: 'failed', count: ({ failed }) => failed },
  { key: 'canceled', label: 'Canceled', inRuns: 'canceled', count: ({ canceled }) => canceled },
  { key: 'skipped', label: 'Skipped', inRuns: 'skipped', count: ({ skipped }) => skipped },
  { key: 'underWay', label: 'In progress', inRuns: undefined, count: ({ queued, running }) => queued + running },
];

/** The runs without skipped ones, as `Workflow.runCount` counts them; the statistics have no test runs. */
export function runCount({ total, skipped }: Pick<Counts, 'total' | 'skipped'>): number {
  return total - skipped;
}

/**
 * The share of succeeded runs among succeeded and failed ones, e.g. `98.7%`; undefined without any. A share is never
 * rounded to 0% or 100%.
 */
export function successRate({ succeeded, failed }: Pick<Counts, 'succeeded' | 'failed'>): string | undefined {
  if (succeeded + failed === 0) return undefined;
  const percent = (succeeded / (succeeded + failed)) * 100;
  if (failed > 0 && percent > 99.9) return '> 99.9%';
  if (succeeded > 0 && percent < 0.1) return '< 0.1%';
  return `${percent.toLocaleString('en', { maximumFractionDigits: 1 })}%`;
}

/** “12 runs: 10 succeeded, 2 failed, 3 skipped”; zero counts are left out. */
export function inWords(counts: Counts): string {
  if (counts.total === 0) return 'no runs';
  const parts = SERIES.map(({ label, count }) => ({ label: label.toLowerCase(), number: count(counts) }))
    .filter(({ number }) => number > 0)
    .map(({ label, number }) => `${number.toLocaleString('en')} ${label}`);
  const runs = runCount(counts);
  return `${runs.toLocaleString('en')} ${runs === 1 ? 'run' : 'runs'}: ${parts.join(', ')}`;
}
