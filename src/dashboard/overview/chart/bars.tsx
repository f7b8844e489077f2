import classes from './chart.module.css';
import { SERIES } from './series.js';
import { type Bucket } from './bucket-words.js';

/** The height of the plot in pixels; the space above the highest tick is reserved for minimum bar heights. */
const PLOT = { height: 208, free: 12 } as const;

/** The minimum height of a bar, so that one run among thousands is visible. */
const LEAST = 3;

/** The bars and grid lines, hidden from screen readers. `active` is the selected bar. */
export function Bars({
  buckets,
  ticks,
  active,
}: {
  buckets: readonly Bucket[];
  ticks: readonly number[];
  active?: number;
}) {
  const most = ticks.at(-1)!;
  return (
    <svg className={classes.plot} width="100%" height={PLOT.height} aria-hidden>
      {active !== undefined && (
        <rect
          className={classes.column}
          x={`${(active * 100) / buckets.length}%`}
          width={`${100 / buckets.length}%`}
          height="100%"
        />
      )}
      {ticks.map((tick) => (
        <line
          key={tick}
          x1="0"
          x2="100%"
          y1={heightAt(tick, most)}
          y2={heightAt(tick, most)}
          className={classes.line}
        />
      ))}
      {buckets.map((bucket, index) => (
        <Bar key={bucket.from} bucket={bucket} most={most} at={(index + 0.5) / buckets.length} of={buckets.length} />
      ))}
    </svg>
  );
}

/** The distance from the top for a number of runs. */
export function heightAt(runs: number, most: number): number {
  return PLOT.height - 0.5 - (runs / most) * (PLOT.height - PLOT.free);
}

function Bar({ bucket, most, at, of }: { bucket: Bucket; most: number; at: number; of: number }) {
  let top: number = PLOT.height;
  return SERIES.map(({ key, count }) => {
    const runs = count(bucket);
    if (runs === 0) return null;
    const height = Math.max(LEAST, (runs / most) * (PLOT.height - PLOT.free));
    top = Math.max(0, top - height);
    return (
      <rect
        key={key}
        className={classes.part}
        data-series={key}
        x={`${at * 100}%`}
        y={top}
        height={height}
        style={{ width: `min(${70 / of}%, 34px)` }}
      />
    );
  });
}
