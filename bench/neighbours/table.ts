import { type Row } from '../report.js';
import { type Doing, type Samples } from './neighbour.js';
import { type Outcome } from './outcome.js';

export { type Row };

/** The columns of the table of neighbours. */
export const NEIGHBOURS_HEAD: Row = [
  'Another account …',
  'list p50',
  'p99',
  'hook p50',
  'p99',
  'run p50',
  'p99',
  'errors',
  'RSS',
  'loop p99',
  'target',
];

/** The maximum of p99 as a multiple of the quiet one, and of resident memory. */
const MAX_TIMES = 5;
const MAX_BYTES = 700 * 2 ** 20;
const DOINGS: readonly Doing[] = ['list', 'hook', 'run'];

/** A row of the table: each time of the neighbour as a multiple of the quiet one, and in milliseconds. */
export function rowOf(name: string, outcome: Outcome): Row {
  const { quiet, attacked, errors, peak, delay, hasEnded } = outcome;
  const cells = DOINGS.flatMap((doing) => [cell(quiet, attacked, doing, 0.5), cell(quiet, attacked, doing, 0.99)]);
  const isMet = missesOf(outcome).length === 0;
  return [
    name,
    ...cells,
    String(errors.length),
    hasEnded ? 'ended' : `${Math.round(peak / 2 ** 20)} MB`,
    delay === undefined ? 'silent' : `${Math.round(delay.p99)} ms`,
    isMet ? '✓' : `✗ ${missesOf(outcome).join(', ')}`,
  ];
}

/** The targets that an outcome misses. */
function missesOf({ quiet, attacked, errors, peak, delay, hasEnded }: Outcome): string[] {
  const isSlow = DOINGS.some((doing) => !(times(quiet, attacked, doing, 0.99) <= MAX_TIMES));
  return [
    ...(hasEnded || delay === undefined ? ['process'] : []),
    ...(errors.length > 0 ? ['errors'] : []),
    ...(isSlow ? ['p99'] : []),
    ...(peak > MAX_BYTES ? ['RSS'] : []),
  ];
}

function cell(quiet: Samples, attacked: Samples, doing: Doing, part: number): string {
  const now = percentile(attacked[doing], part);
  return Number.isNaN(now) ? 'none' : `${times(quiet, attacked, doing, part).toFixed(1)}× ${Math.round(now)} ms`;
}

function times(quiet: Samples, attacked: Samples, doing: Doing, part: number): number {
  return percentile(attacked[doing], part) / percentile(quiet[doing], part);
}

/** NaN without values. */
function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
