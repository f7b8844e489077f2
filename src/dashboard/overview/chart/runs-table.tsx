import { type Bucket, bucketInWords } from './bucket-words.js';
import classes from './runs-table.module.css';
import { runCount, SERIES } from './series.js';

/** The numbers of the chart as a table: always present for screen readers, visible on demand. */
export function RunsTable({ buckets, caption, visible }: RunsTableProps) {
  const columns = SERIES.filter(({ isPassing, count }) => !isPassing || buckets.some((bucket) => count(bucket) > 0));
  return (
    <div
      className={visible ? classes.frame : classes.hidden}
      {...(visible && { tabIndex: 0, role: 'region', 'aria-label': caption })}
    >
      <table className={classes.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Runs</th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.toReversed().map((bucket) => (
            <tr key={bucket.from}>
              <th scope="row">{bucketInWords(bucket)}</th>
              <td>{runCount(bucket).toLocaleString('en')}</td>
              {columns.map(({ key, count }) => (
                <td key={key}>{count(bucket).toLocaleString('en')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `caption` names it, e.g. “Runs of the last 24 hours”. */
export interface RunsTableProps {
  buckets: readonly Bucket[];
  caption: string;
  visible: boolean;
}
