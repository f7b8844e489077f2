import { type Period } from '../ui/period.js';
import { useUrlValue } from '../ui/tables/use-url-value.js';

/** A period of the overview; it ends now. */
export interface Range extends Period {
  /** The value of `?range=` in the URL. */
  value: string;
  label: string;
  /** Text after “in”. */
  inWords: string;
  /** The value in the URL of the list of runs; the longest range has none. */
  inRuns: string | undefined;
}

/** From the shortest to the longest. */
export const RANGES: readonly [Range, ...Range[]] = [
  { value: '24h', label: '24 hours', inWords: 'the last 24 hours', bucket: 'HOUR', count: 24, inRuns: 'day' },
  { value: '7d', label: '7 days', inWords: 'the last 7 days', bucket: 'DAY', count: 7, inRuns: 'week' },
  { value: '30d', label: '30 days', inWords: 'the last 30 days', bucket: 'DAY', count: 30, inRuns: undefined },
];

/** The range in the URL; the shortest by default. */
export function useRange(): Range {
  const [chosen] = useUrlValue('range');
  return RANGES.find(({ value }) => value === chosen) ?? RANGES[0];
}
