import classes from './chart.module.css';
import { type Bucket, bucketInWords } from './bucket-words.js';
import { SERIES } from './series.js';

/** The numbers of the selected bar at position `at`, from 0 (left) to 1. Screen readers get them from the slider instead. */
export function Tooltip({ bucket, at }: { bucket: Bucket; at: number }) {
  return (
    <div
      className={classes.tooltip}
      // It stays inside the chart: near the left edge its left side is at the bar, near the right edge its right side.
      style={{ left: `${at * 100}%`, transform: `translateX(${-at * 100}%)` }}
      aria-hidden
    >
      <strong>{bucketInWords(bucket)}</strong>
      {bucket.total === 0 && <span>No runs</span>}
      <dl>
        {SERIES.filter(({ count }) => count(bucket) > 0).map(({ key, label, count }) => (
          <div key={key}>
            <dt>
              <i className={classes.swatch} data-series={key} />
              {label}
            </dt>
            <dd>{count(bucket).toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
