import { cpus } from 'node:os';
import { type Round } from './rounds.js';
import { type Comparison, type Scenario } from './scenarios/scenario.js';

/** A row of the table. */
export type Row = readonly string[];

/** The columns of the table of speeds. */
export const HEAD: Row = [
  '',
  'ours/s',
  'theirs/s',
  'ratio',
  'of rounds',
  'target',
  'CPU ours',
  'CPU theirs',
  'CPU ratio',
];

/** The median; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** What the table shows of the rounds of each contender. */
type Measured = Readonly<Record<string, readonly Pick<Round, 'perSecond' | 'cpu'>[]>>;

/** The row of each comparison: the median of the rounds' ratios, and their minimum and maximum. */
export function rowsOf({ comparisons }: Scenario, rounds: Measured): Row[] {
  return comparisons.map((comparison) => rowOf(comparison, rounds));
}

function rowOf({ title, of, to, target }: Comparison, rounds: Measured): Row {
  const [ours, theirs] = [rounds[of]!, rounds[to]!];
  const ratios = ours.map(({ perSecond }, round) => perSecond / theirs[round]!.perSecond);
  const ratio = median(ratios);
  const cpuOf = (of: typeof ours) => median(of.map(({ cpu }) => cpu));
  const cpuRatio = median(ours.map(({ cpu }, round) => theirs[round]!.cpu / cpu));
  return [
    title,
    whole(median(ours.map(({ perSecond }) => perSecond))),
    whole(median(theirs.map(({ perSecond }) => perSecond))),
    ratio.toFixed(2),
    `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    `≥ ${target} ${verdict(ratio >= target)}`,
    `${whole(cpuOf(ours))} µs`,
    `${whole(cpuOf(theirs))} µs`,
    cpuRatio.toFixed(2),
  ];
}

/** A row that compares operations per second of two contenders, by round. */
export function ratioRow(title: string, ours: readonly number[], theirs: readonly number[], target: number): Row {
  const rounds = (all: readonly number[]) => all.map((perSecond) => ({ perSecond, cpu: NaN }));
  const row = rowOf({ title, of: 'ours', to: 'theirs', target }, { ours: rounds(ours), theirs: rounds(theirs) });
  return [...row.slice(0, -3), '', '', ''];
}

/** A row that compares a number with its bound. */
export function boundRow(title: string, value: number, bound: number, unit: string): Row {
  return [
    title,
    `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`,
    '',
    '',
    '',
    `≤ ${bound} ${verdict(value <= bound)}`,
    '',
    '',
    '',
  ];
}

/** The table as Markdown that is readable in a terminal too. */
export function table(rows: readonly Row[], head = HEAD): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: Row): string => `| ${row.map((cell, column) => pad(cell, widths[column]!, column)).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** The date, the machine and the version of Node. */
export function machine(): string {
  const all = cpus();
  return `${new Date().toISOString().slice(0, 10)}, ${all.length} × ${all[0]?.model ?? 'unknown CPU'}, Node ${process.version}`;
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function verdict(isMet: boolean): string {
  return isMet ? '✓' : '✗';
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
