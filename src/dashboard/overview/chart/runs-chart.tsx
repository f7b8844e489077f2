import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { Bars, heightAt } from './bars.js';
import { axisLabel, type Bucket, bucketInWords, isHour } from './bucket-words.js';
import classes from './chart.module.css';
import { ticksFor } from './scale.js';
import { inWords } from './series.js';
import { Tooltip } from './tooltip.js';

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/**
 * Stacked bars, one for each bucket. The pointer or the arrow keys select one and show its numbers; for screen readers
 * it is a slider.
 */
export function RunsChart({ buckets }: { buckets: readonly Bucket[] }) {
  const [active, setActive] = useState<number>();
  const ticks = ticksFor(Math.max(0, ...buckets.map(({ total }) => total)));
  const last = buckets.length - 1;
  const shown = active === undefined ? undefined : Math.min(active, last);
  const told = buckets[shown ?? last]!;
  return (
    <div className={classes.chart}>
      <div className={classes.scale} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} style={{ top: heightAt(tick, ticks.at(-1)!) }}>
            {compact.format(tick)}
          </span>
        ))}
      </div>
      <div
        className={classes.slider}
        role="slider"
        tabIndex={0}
        aria-label={isHour(told) ? 'Hour' : 'Day'}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown ?? last}
        aria-valuetext={`${bucketInWords(told)}, ${inWords(told)}`}
        onPointerMove={(event) => setActive(indexAt(event, buckets.length))}
        onPointerLeave={() => setActive(undefined)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(last)}
        onBlur={() => setActive(undefined)}
        onKeyDown={(event) => onKey(event, shown ?? last, last, setActive)}
      >
        <Bars buckets={buckets} ticks={ticks} active={shown} />
        {shown !== undefined && <Tooltip bucket={told} at={(shown + 0.5) / buckets.length} />}
      </div>
      <Axis buckets={buckets} />
    </div>
  );
}

function Axis({ buckets }: { buckets: readonly Bucket[] }) {
  const every = Math.ceil(buckets.length / 8);
  return (
    <div className={classes.axis} aria-hidden>
      {buckets.map((bucket, index) => {
        const fromEnd = buckets.length - 1 - index;
        if (fromEnd % every !== 0) return null;
        return (
          <span
            key={bucket.from}
            style={{ left: `${((index + 0.5) * 100) / buckets.length}%` }}
            data-phone={(fromEnd / every) % 2 === 1 ? 'none' : undefined}
          >
            {axisLabel(bucket, buckets.length)}
          </span>
        );
      })}
    </div>
  );
}

function indexAt({ clientX, currentTarget }: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
}

function onKey(event: KeyboardEvent, at: number, last: number, go: (index: number | undefined) => void): void {
  const targets: Record<string, number | undefined> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowDown: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    ArrowUp: Math.min(last, at + 1),
    Home: 0,
    End: last,
    Escape: undefined,
  };
  if (!Object.hasOwn(targets, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  go(targets[event.key]);
}
