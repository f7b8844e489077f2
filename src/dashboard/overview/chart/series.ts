import { share } from '../../ui/values/share.js';
import { type Statistics } from '../use-run-statistics.js';

/** The number of runs in each status. */
export type Counts = Statistics['sum'];

/** One colour of the chart: runs with the same result. */
export interface Series {
  key: 'succeeded' | 'failed' | 'canceled' | 'skipped' | 'waiting' | 'underWay';
  label: string;
  /** The filter value in the URL of the list of runs; absent for a series of two statuses. */
  inRuns: string | undefined;
  /** Hidden while there are none: runs do not stay so. */
  isPassing?: true;
  count: (counts: Counts) => number;
}

/** From the bottom of a bar to its top. */
export const SERIES: readonly Series[] = [
  { key: 'succeeded', label: 'Succeeded', inRuns: 'succeeded', count: ({ succeeded }) => succeeded },
  { key: 'failed', label: 'Failed', inRuns: 'failed', count: ({ failed }) => failed },
  { key: 'canceled', label: 'Canceled', inRuns: 'canceled', count: ({ canceled }) => canceled },
  { key: 'skipped', label: 'Skipped', inRuns: 'skipped', count: ({ skipped }) => skipped },
  { key: 'waiting', label: 'Waiting', inRuns: 'waiting', isPassing: true, count: ({ waiting }) => waiting },
  {
    key: 'underWay',
    label: 'In progress',
    inRuns: undefined,
    isPassing: true,
    count: ({ queued, running }) => queued + running,
  },
];

/** The runs without skipped ones, as `Workflow.runCount` counts them; the statistics have no test runs. */
export function runCount({ total, skipped }: Pick<Counts, 'total' | 'skipped'>): number {
  return total - skipped;
}

/** The share of succeeded runs among succeeded and failed ones; undefined without any. */
export function successRate({ succeeded, failed }: Pick<Counts, 'succeeded' | 'failed'>): string | undefined {
  return succeeded + failed === 0 ? undefined : share(succeeded, succeeded + failed);
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
